"""The skill and the paragraph: their format, what they name, and how `rewriter init-agent` puts them into a project."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from rewriter import InputError
from rewriter.cli import full_app
from rewriter.data import read_text
from rewriter.integrations.mcp import build_server
from rewriter.integrations.project import MARK, SKILL, init_agent

SKILL_TEXT = read_text(f"skills/{SKILL}/SKILL.md")
PARAGRAPHS = {language: read_text(f"agents/{language}.md") for language in ("en", "id")}


def front_matter() -> dict[str, str]:
    head = SKILL_TEXT.split("---\n")[1]
    return dict(line.split(": ", 1) for line in head.strip().split("\n"))


def test_the_skill_has_the_open_format() -> None:
    """The limits of the Agent Skills specification."""
    fields = front_matter()
    assert set(fields) <= {"name", "description", "license", "compatibility", "metadata", "allowed-tools"}
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", fields["name"]) and len(fields["name"]) <= 64
    assert fields["name"] == SKILL, "that of its folder"
    assert 0 < len(fields["description"]) <= 1024 and "Use before" in fields["description"]
    assert len(fields["compatibility"]) <= 500
    body = SKILL_TEXT.split("---\n", 2)[2]
    assert len(body.split("\n")) < 500 and len(body) < 20_000
    for said in ("## When", "## How", "## When asked back", "## What to record"):
        assert said in body


@pytest.mark.parametrize("text", [SKILL_TEXT, *PARAGRAPHS.values()], ids=["skill", *PARAGRAPHS])
def test_every_command_and_tool_that_is_named_is_there(text: str) -> None:
    command = typer.main.get_command(full_app())
    known = {name for name, _ in _commands(command, "rewriter")}
    named = {m[0] for code in _code(text) if (m := re.match(r"rewriter (dossier |lexicon )?[a-z-]+", code))}
    assert named and named <= known
    tools = {tool.name for tool in build_server()._tool_manager.list_tools()}
    assert set(re.findall(r"`((?:rewrite|merge|lookup)_[a-z]+)`", text)) <= tools
    assert "rewrite_query" in text and "merge_results" in text and "clarification" in text and "signature" in text


def _code(text: str) -> list[str]:
    """What is set as code."""
    return [a or b for a, b in re.findall(r"`([^`\n]+)`|^(rewriter [^\n]*)$", text, re.MULTILINE)]


def _commands(command: object, name: str) -> list[tuple[str, object]]:
    found = [(name, command)]
    for part, child in getattr(command, "commands", {}).items():
        found += _commands(child, f"{name} {part}")
    return found


def test_both_languages_say_the_same_steps() -> None:
    steps = {language: re.findall(r"^\d\.", text, re.MULTILINE) for language, text in PARAGRAPHS.items()}
    assert steps["en"] == steps["id"] == ["1.", "2.", "3.", "4.", "5."]


def test_a_project_gets_both_files(tmp_path: Path) -> None:
    done = init_agent(tmp_path)
    skill, rules = tmp_path / ".agents/skills" / SKILL / "SKILL.md", tmp_path / "AGENTS.md"
    assert done == [(skill, "written"), (rules, "written")]
    assert skill.read_text(encoding="utf-8") == SKILL_TEXT
    assert rules.read_text(encoding="utf-8") == f"{MARK}\n{PARAGRAPHS['en']}"
    assert init_agent(tmp_path, languages=("id",)) == [(skill, "unchanged"), (rules, "unchanged")], "once is enough"


@pytest.mark.parametrize("there", [b"# Rules\n", b"# Rules", b"\xef\xbb\xbf# R\xe9gles\r\n", b""])
def test_what_is_there_stays_byte_for_byte(there: bytes, tmp_path: Path) -> None:
    rules = tmp_path / "AGENTS.md"
    rules.write_bytes(there)
    init_agent(tmp_path, languages=("en", "id"))
    now = rules.read_bytes()
    assert now.startswith(there) and now.count(MARK.encode()) == 1
    assert now.endswith(PARAGRAPHS["id"].encode())


def test_a_skill_that_was_changed_is_kept(tmp_path: Path) -> None:
    skill = tmp_path / ".claude/skills" / SKILL / "SKILL.md"
    skill.parent.mkdir(parents=True)
    skill.write_text("mine", encoding="utf-8")
    result = CliRunner().invoke(full_app(), ["init-agent", str(tmp_path), "--skills", ".claude/skills"])
    assert result.exit_code == 0
    assert skill.read_text(encoding="utf-8") == "mine"
    assert f"{skill}\tkept" in result.output


def test_a_link_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("# Rules\n", encoding="utf-8")
    (tmp_path / "AGENTS.md").symlink_to("CLAUDE.md")
    init_agent(tmp_path)
    assert (tmp_path / "AGENTS.md").is_symlink()
    assert MARK in (tmp_path / "CLAUDE.md").read_text(encoding="utf-8")


def test_wrong_folders_and_languages_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no folder"):
        init_agent(tmp_path / "nowhere")
    with pytest.raises(InputError, match="not in fr"):
        init_agent(tmp_path, languages=("en", "fr"))
    assert list(tmp_path.iterdir()) == []
