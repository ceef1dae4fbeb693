"""Other people's frameworks; each module needs the extra of its name."""
