"""The build: a wheel carries the compiled language pack.  All that is data stands in `setup.cfg`.

An editable install puts the pack into the user's cache folder instead, since the lexicons are still being written: each change of
theirs is compiled at the next use.
"""

from __future__ import annotations

import sys
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

ROOT = Path(__file__).resolve().parent
PACK = Path("rewriter", "pack", "rewriter.pack")


class BuildWithPack(build_py):
    """`build_py`, and the pack beside the modules that open it."""

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            keep_compiled()
        else:
            target = Path(self.build_lib) / PACK
            self.mkpath(str(target.parent))
            target.write_bytes(compile_lexicons())

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        """The files of the build, with the pack."""
        outputs: list[str] = super().get_outputs(include_bytecode)
        return outputs if self.editable_mode else [*outputs, str(Path(self.build_lib) / PACK)]


def compile_lexicons() -> bytes:
    """The pack of the lexicons beside this file."""
    sys.path.insert(0, str(ROOT))
    from rewriter.pack.files import compile_folder

    return compile_folder(ROOT / "lexicons")


def keep_compiled() -> None:
    """The pack of the lexicons beside this file, in the cache: the first query of a fresh checkout need not wait for it."""
    sys.path.insert(0, str(ROOT))
    from rewriter.pack.load import default_resources

    default_resources()


setup(cmdclass={"build_py": BuildWithPack})
