"""The examples run, print what their last lines say, and are short."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rewriter

FOLDER = Path(__file__).parents[1] / "docs" / "examples"
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(Path(rewriter.__file__).parents[1]),
    "PYTHONIOENCODING": "utf-8",
    "HAYSTACK_TELEMETRY_ENABLED": "False",
}


def test_each_integration_has_an_example() -> None:
    names = {file.stem.rsplit("_", 1)[0] for file in FOLDER.glob("*.py")}
    others = {"__init__", "clarify", "extras", "passages", "policies", "project", "spark", "spark_batch"}  # Spark: docs/batch.md
    modules = {file.stem for file in (Path(rewriter.__file__).parent / "integrations").glob("*.py")} - others
    assert names == modules


@pytest.mark.parametrize("file", sorted(FOLDER.glob("*.py")), ids=lambda file: file.stem)
def test_an_example_prints_what_it_says(file: Path, resources: rewriter.Resources, tmp_path: Path) -> None:
    lines = file.read_text(encoding="utf-8").splitlines()
    said = [line.removeprefix("# ") for line in lines if line.startswith("# ")]
    assert said and sum(not line.startswith("# ") for line in lines) <= 20
    done = subprocess.run(
        [sys.executable, str(file)], capture_output=True, encoding="utf-8", env=ENVIRONMENT, cwd=tmp_path, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == said
