"""Does a search find more with the variants than with the query alone, and what does that cost?"""
