"""What was read from TOML once is read from the cache afterwards, and says the same."""

from __future__ import annotations

import datetime
import os
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rewriter.io.lint import check_files
from rewriter.pack import toml
from rewriter.pack.files import lexicon_files, lexicons_folder

FILLING = f"filling = {'x' * toml.WORTH!r}\n"
DATES = "day = 2025-08-26\nthen = 2025-08-26T07:00:00+07:00\nlocal = 2025-08-26T07:00:00.5\nat = 07:30:00\n"
OTHERS = 'whole = 1\nreal = 1.0\nyes = true\nendless = -inf\nname = "é\\u0000\U0001f34c"\nlist = [1, [2.5], {a = []}]\n[a."b.c"]\nd = ""\n'
Reads = list[str]


@pytest.fixture
def reads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Reads:
    """The texts that tomllib reads, over an empty cache folder."""
    monkeypatch.setattr(toml, "cache_place", lambda: str(tmp_path / "cache"))
    told: Reads = []
    real: Callable[[str], dict[str, Any]] = tomllib.loads

    class Told:
        """tomllib, which notes what it is asked."""

        @staticmethod
        def loads(text: str) -> dict[str, Any]:
            told.append(text)
            return real(text)

    monkeypatch.setattr(toml, "tomllib", Told)
    return told


def kept_files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "cache" / "toml").glob("*"))


@pytest.mark.parametrize("text", [DATES, OTHERS, DATES + OTHERS])
def test_what_is_kept_is_what_tomllib_gave(text: str, reads: Reads) -> None:
    text = FILLING + text
    first, second = toml.load_toml(text), toml.load_toml(text)
    assert reads == [text]
    assert repr(first) == repr(second) == repr(tomllib.loads(text))


def test_dates_come_back_as_dates(reads: Reads) -> None:
    toml.load_toml(FILLING + DATES)
    assert toml.load_toml(FILLING + DATES)["day"] == datetime.date(2025, 8, 26) and len(reads) == 1


@pytest.mark.parametrize("text", ['a = {"\\u0000date" = "date 2025-08-26"}', "a = nan"])
def test_what_would_not_come_back_the_same_is_not_kept(text: str, reads: Reads, tmp_path: Path) -> None:
    assert [repr(toml.load_toml(FILLING + text)) for _ in range(2)] == [repr(tomllib.loads(FILLING + text))] * 2
    assert len(reads) == 2 and kept_files(tmp_path) == []


def test_small_and_broken_texts_are_not_kept(reads: Reads, tmp_path: Path) -> None:
    assert toml.load_toml("a = 1") == {"a": 1}
    for _ in range(2):
        with pytest.raises(tomllib.TOMLDecodeError, match="at line 2"):
            toml.load_toml(FILLING + "a = = 1")
    assert kept_files(tmp_path) == []


@pytest.mark.parametrize("damage", [lambda d: d[:-9], lambda d: b"", lambda d: d.replace(b"whole", b"whose"), lambda d: b"\xff" + d])
def test_a_damaged_file_is_not_believed(damage: Callable[[bytes], bytes], reads: Reads, tmp_path: Path) -> None:
    wanted = toml.load_toml(FILLING + OTHERS)
    (file,) = kept_files(tmp_path)
    whole = file.read_bytes()
    file.write_bytes(damage(whole))
    assert toml.load_toml(FILLING + OTHERS) == wanted and len(reads) == 2
    assert file.read_bytes() == whole, "it is written anew"


def test_a_cache_that_cannot_be_written_is_no_matter(
    reads: Reads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setattr(toml, "cache_place", lambda: str(tmp_path / "file"))
    assert [toml.load_toml(FILLING + OTHERS)["whole"] for _ in range(2)] == [1, 1]
    assert len(reads) == 2 and capsys.readouterr() == ("", "")


def test_what_was_not_used_for_long_is_forgotten(reads: Reads, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toml, "KEPT_BYTES", 3.5 * toml.WORTH)
    texts = [f"{FILLING}number = {n}\n" for n in range(4)]
    for text in texts[:3]:
        toml.load_toml(text)
    for age, file in enumerate(kept_files(tmp_path)):
        os.utime(file, (1_000 + age, 1_000 + age))
    toml.load_toml(texts[0])
    toml.load_toml(texts[3])
    before = len(reads)
    toml.load_toml(texts[0])
    assert len(kept_files(tmp_path)) == 3 and len(reads) == before


def test_a_lint_reads_only_changed_files_again(reads: Reads, tmp_path: Path) -> None:
    made = tmp_path / "team"
    (made / "senses").mkdir(parents=True)
    for name in ("games", "finance"):
        text = (lexicons_folder() / "senses" / f"{name}.toml").read_text(encoding="utf-8")
        (made / "senses" / f"{name}.toml").write_text(f'{text}\n[zorblat-{name}.x]\nforms = ["Zor  {name}"]\n', encoding="utf-8")
    first = check_files([made])
    assert first and all(f.line > 1 for f in first)
    before = len(reads)
    assert check_files([made]) == first and len(reads) == before
    changed = made / "senses" / "games.toml"
    changed.write_text("\n" + changed.read_text(encoding="utf-8"), encoding="utf-8")
    again = check_files([made])
    assert len(reads) == before + 1
    assert [f.line - (f.file == changed.as_posix()) for f in again] == [f.line for f in first]


def test_the_shipped_files_say_the_same_from_the_cache(reads: Reads) -> None:
    texts = [f.read_text(encoding="utf-8") for f in lexicon_files(lexicons_folder() / "senses") if f.suffix == ".toml"][:5]
    once = [toml.load_toml(text) for text in texts]
    assert [toml.load_toml(text) for text in texts] == once and sorted(reads) == sorted(texts)
