"""Indonesian words of a query → English words, each with its source: units, order, form."""
