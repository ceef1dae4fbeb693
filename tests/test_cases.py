"""Everyday cases as data: `cases/*.toml`, one table `[[case]]` each, with a comment that says why (`rewriter.curation.cases`)."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from rewriter import rewrite
from rewriter.curation.cases import check_plan, fault_of

FOLDER = Path(__file__).with_name("cases")

Case = dict[str, Any]
CASES: list[tuple[str, Case]] = [
    (f"{file.stem}: {case.get('label')}", case)
    for file in sorted(FOLDER.glob("*.toml"))
    for case in tomllib.loads(file.read_text(encoding="utf-8")).get("case", [])
]


@pytest.mark.parametrize("case", [case for _, case in CASES], ids=[name for name, _ in CASES])
def test_case(case: Case) -> None:
    plan = rewrite(case["query"], case.get("context", ()))
    failures = check_plan(plan, case)
    assert failures == [], "\n".join([case["comment"], *failures, "", plan.explain()])


def test_cases_are_well_formed() -> None:
    assert len(CASES) >= 60
    assert len({name for name, _ in CASES}) == len(CASES), "labels differ within a file"
    for name, case in CASES:
        assert fault_of(case) == "", name
        assert case.keys() >= {"label", "query", "comment"}, name
