"""What a batch did, for people and as data."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rewriter.model import PATTERN_NAMES
from rewriter.record import fresh, record

__all__ = ["Summary"]


@record
class Summary:
    """Counts over all rows of the output, also those of the runs that it continues; `seconds` and `new_rows` are of this run alone.

    `counts` has `rows`, `plans`, `errors`, `asked` (a question to ask back), `blank` (no words to search), `pattern NAME` (searches) and
    `skipped REASON` (patterns that gave none).
    """

    target: str
    errors_at: str
    signature: str
    seconds: float
    new_rows: int
    forgotten_sessions: int = 0
    counts: Mapping[str, int] = fresh(dict)

    @property
    def rate(self) -> float:
        """Rows a second of this run."""
        return self.new_rows / self.seconds if self.seconds > 0 else 0.0

    def to_dict(self) -> dict[str, Any]:
        """As data: patterns in their order, reasons by name."""
        count = self.counts.get
        return {
            "output": self.target, "rows": count("rows", 0), "plans": count("plans", 0), "errors": count("errors", 0),
            "asked": count("asked", 0), "blank": count("blank", 0),
            "patterns": {name: count(f"pattern {name}", 0) for name in PATTERN_NAMES},
            "skipped": {name.removeprefix("skipped "): n for name, n in sorted(self.counts.items()) if name.startswith("skipped ")},
            "forgotten_sessions": self.forgotten_sessions, "seconds": round(self.seconds, 3), "rows_per_second": round(self.rate, 1),
            "signature": self.signature,
        }  # fmt: skip

    def lines(self) -> list[str]:
        """For a terminal."""
        data = self.to_dict()
        patterns = ", ".join([f"{name} {n:,}" for name, n in data["patterns"].items() if n]) or "none"
        skipped = (
            ", ".join([f"{name} {n:,}" for name, n in sorted(data["skipped"].items(), key=lambda item: (-item[1], item[0]))]) or "none"
        )
        told = [
            f"{self.target}: {data['plans']:,} plans of {data['rows']:,} rows, {self.rate:,.0f} rows/s",
            f"searches: {patterns}",
            f"asked back: {data['asked']:,}; blank: {data['blank']:,}",
            f"patterns skipped: {skipped}",
            f"errors: {data['errors']:,}" + (f" in {self.errors_at}" if data["errors"] else ""),
        ]
        if self.forgotten_sessions:
            told.append(f"sessions forgotten for want of memory: {self.forgotten_sessions:,}; sort the rows by session")
        return [*told, f"signature: {self.signature}"]
