"""Findings as SARIF 2.1.0, which code hosts show beside the lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from rewriter.lexicon.checks import CHECKS
from rewriter.lexicon.collection import Finding
from rewriter.version import __version__

__all__ = ["to_sarif"]

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def to_sarif(findings: Sequence[Finding]) -> dict[str, Any]:
    """One run with its rules and a result a finding."""
    numbers = {code: n for n, (code, _) in enumerate(CHECKS)}
    rules = [
        {
            "id": code,
            "name": "".join(part.title() for part in check.__name__.split("_")),
            "shortDescription": {"text": " ".join((check.__doc__ or "").split())},
            "defaultConfiguration": {"level": "error" if code.startswith("E") else "warning"},
        }
        for code, check in CHECKS
    ]
    results = [
        {
            "ruleId": f.code,
            "ruleIndex": numbers[f.code],
            "level": f.severity,
            "message": {"text": f.message},
            "locations": [
                {
                    "physicalLocation": {
                        "artifactLocation": {"uri": quote(f.file)},
                        "region": {"startLine": f.line, "startColumn": f.column, "endColumn": f.column + f.width},
                    }
                }
            ],
        }
        for f in findings
    ]
    driver = {"name": "rewriter lexicon lint", "version": __version__, "rules": rules}
    return {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}],
    }
