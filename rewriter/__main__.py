"""`python -m rewriter`: the command line."""

from __future__ import annotations

import sys

from rewriter.command import main

if __name__ == "__main__":
    sys.exit(main())
