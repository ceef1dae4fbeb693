"""Other people's frameworks; each module needs the extra of its name."""

"""The rewriting step inside other people's frameworks.  Nothing is imported here: each module needs the extra of its name."""
