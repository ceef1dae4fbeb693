"""A rewrite imports none of the libraries that the pack is compiled from, and touches nothing once its resources are loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import rewriter

COMPILE_TIME = ("spacy", "nltk", "wordfreq", "numpy", "babel", "thinc", "regex", "langcodes", "ftfy")

_IMPORTS = """
import json, sys
import rewriter
rewriter.rewrite("nano banana")
rewriter.rewrite("harga berapa?", ["iphone 16"])
print(json.dumps(sorted({name.split(".")[0] for name in sys.modules})))
"""

_EVENTS = """
import json, sys
import rewriter
resources = rewriter.default_resources()
seen = []
quiet = ("object.__getattr__", "code.__new__", "compile", "exec", "import", "marshal.", "sys._getframe", "sys.setprofile", "gc.")
sys.addaudithook(lambda event, args: None if event.startswith(quiet) else seen.append([event, repr(args)[:120]]))
queries = ("nano banana", "harga berapa?", "cara membuat kue tanpa telur", "how to fix python import error", 'laptop "core i5" Rp 5 juta')
for query in queries:
    rewriter.rewrite(query, ["iphone 16", "oke"], resources=resources)
print(json.dumps(seen))
"""


def run_child(code: str) -> Any:
    """What Python code prints as JSON, in a process of its own."""
    path = os.pathsep.join(p for p in (str(Path(rewriter.__file__).parent.parent), os.environ.get("PYTHONPATH", "")) if p)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path}, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_rewrite_imports_no_library_of_the_compiler(resources: rewriter.Resources) -> None:
    imported = run_child(_IMPORTS)
    assert [name for name in COMPILE_TIME if name in imported] == []


def test_a_rewrite_opens_no_file_and_no_connection(resources: rewriter.Resources) -> None:
    assert run_child(_EVENTS) == []


def test_importing_the_package_loads_no_pack() -> None:
    code = "import json, rewriter.pack.load as load\nimport rewriter\nprint(json.dumps(len(load._default)))"
    assert run_child(code) == 0


def test_importing_the_package_imports_no_command_line() -> None:
    code = "import json, sys\nimport rewriter\nprint(json.dumps([m for m in ('typer', 'rich', 'click') if m in sys.modules]))"
    assert run_child(code) == []
