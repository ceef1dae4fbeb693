"""How natural are the questions that are written?"""
