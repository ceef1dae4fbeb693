"""What makes an agent in somebody's project rewrite before it searches: a skill, and a paragraph for its rules."""

from __future__ import annotations

from pathlib import Path

from rewriter import InputError
from rewriter.data import read_text
from rewriter.pack.store import write_whole

__all__ = ["LANGUAGES", "SKILL", "SKILLS_FOLDER", "init_agent"]

SKILL = "rewrite-before-search"
SKILLS_FOLDER = ".agents/skills"
"""Where agents of all makers look for the skills of a project; some look into a folder of their own, too."""
LANGUAGES = ("en", "id")
MARK = "<!-- rewriter: rewrite before search -->"
"""Begins the paragraph; where a file has it, nothing is added."""


def init_agent(folder: Path, skills: str = SKILLS_FOLDER, languages: tuple[str, ...] = ("en",)) -> list[tuple[Path, str]]:
    """Write the skill and the paragraph into a project; what was done to each file: `written`, `extended`, `unchanged` or `kept`.

    Nothing is overwritten: a skill that is there stays as it is (`kept` where it differs), and the paragraph goes behind what `AGENTS.md`
    holds, once.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder; give that of your project.")
    unknown = [language for language in languages if language not in LANGUAGES]
    if unknown or not languages:
        raise InputError(f"The paragraph is there in {' and '.join(LANGUAGES)}, not in {', '.join(unknown) or 'no language'}.")
    skill = folder / skills / SKILL / "SKILL.md"
    return [
        (skill, _write_skill(skill, read_text(f"skills/{SKILL}/SKILL.md"))),
        (folder / "AGENTS.md", _extend(folder / "AGENTS.md", [read_text(f"agents/{language}.md") for language in languages])),
    ]


def _write_skill(place: Path, text: str) -> str:
    if place.exists():
        return "unchanged" if place.read_bytes() == text.encode() else "kept"
    write_whole(place, text.encode())
    return "written"


def _extend(place: Path, paragraphs: list[str]) -> str:
    there = place.read_bytes() if place.exists() else b""
    if MARK.encode() in there:
        return "unchanged"
    added = "\n".join([MARK, *paragraphs]).encode()
    gap = b"" if not there else b"\n" if there.endswith(b"\n") else b"\n\n"
    write_whole(place, there + gap + added)
    return "extended" if there else "written"
