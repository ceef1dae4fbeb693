"""The language pack: the same bytes for the same content, the same plans however it is opened, and no damage unseen."""

from __future__ import annotations

import ast
import configparser
import errno
import json
import os
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

import rewriter
from rewriter import PackError, Resources, load_resources, rewrite
from rewriter.lexicon.entries import Entry, Sense, Slang, Translation
from rewriter.pack import checkout, format, known, store
from rewriter.pack.compile import compile_entries
from rewriter.pack.known import PINNED
from rewriter.pack.mapped import SHIPPED, map_pack
from rewriter.pack.open import Pack
from rewriter.pack.sources import LIBRARIES, library_versions

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "rewriter" / "pack"
QUERIES = (Path(__file__).parent / "cases" / "parity_queries.txt").read_text(encoding="utf-8").splitlines()[::8]
ABOUT = {"name": "test entries", "version": "1", "licence": "CC0-1.0", "what": "senses"}
UNSAFE = ("cloudpickle", "ctypes", "dill", "marshal", "pickle", "shelve")
LIBRARY_NAMES = ("spacy", "wordfreq", "nltk", "babel", "numpy", "thinc")


def make_entries(count: int) -> list[Entry]:
    senses = [
        Sense(f"nama-{i}.arti", (f"nama {i}", f"n{i}"), f"name {i}", f"nama {i}", f"gloss {i}", f"arti {i}", "food", ("makan", f"cue{i}"))
        for i in range(count)
    ]
    return [*senses, Translation("nama 1", "name one", "noun"), Slang("nm", "nama", "id", "noun"), Slang("é\u0301", "e", "id", "noun")]


@pytest.fixture(scope="module")
def small(resources: Resources) -> bytes:
    return compile_entries(resources.pack, make_entries(300), ABOUT)


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(known, "cache_place", lambda: str(tmp_path / "cache"))
    return tmp_path / "cache"


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join(p for p in (str(ROOT), os.environ.get("PYTHONPATH", "")) if p)
    env = {**os.environ, "PYTHONPATH": path, **environment}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=env, check=False, timeout=300)


# What a pack is


def test_shuffled_entries_give_the_same_bytes(resources: Resources, small: bytes) -> None:
    entries = make_entries(300)
    random.Random(3).shuffle(entries)
    assert compile_entries(resources.pack, entries, ABOUT) == small


_COMPILE = """
import hashlib, random, sys
sys.path.insert(0, TESTS)
from test_pack import make_entries
from rewriter.lexicon.entries import Domain
from rewriter.pack.compile import compile_pack
entries = make_entries(200)
domains = [Domain("food", "food", "makanan", ("makan",)), Domain("art", "art", "seni", ())]
random.Random(SEED).shuffle(entries)
random.Random(SEED).shuffle(domains)
print(hashlib.sha256(compile_pack(entries, domains, {"id": {}, "en": {}})).hexdigest())
"""


def test_two_processes_with_other_hash_seeds_compile_the_same_bytes() -> None:
    pytest.importorskip("spacy")
    tests = f"TESTS, SEED = {str(Path(__file__).parent)!r}, "
    hashes = [run_python(f"{tests}{seed}\n{_COMPILE}", PYTHONHASHSEED=str(seed)) for seed in (1, 2)]
    assert [h.stderr for h in hashes if h.returncode] == []
    assert hashes[0].stdout == hashes[1].stdout


def test_a_mapped_pack_and_one_from_bytes_give_equal_plans(resources: Resources, small: bytes, tmp_path: Path) -> None:
    assert len(QUERIES) >= 300
    shipped = Path(resources.pack.where)
    assert shipped.is_file()
    for mapped, data in ((resources, shipped.read_bytes()), (None, small)):
        if mapped is None:
            store.write_atomic(tmp_path / "small.pack", small)
            mapped = Resources(map_pack(tmp_path / "small.pack"), lambda: pytest.fail("pickled"))
        from_bytes = Resources(Pack(data, "bytes"), lambda: pytest.fail("pickled"))
        different = [q for q in QUERIES if rewrite(q, resources=mapped) != rewrite(q, resources=from_bytes)]
        assert different == []


def test_no_question_to_a_pack_makes_it_raise(resources: Resources) -> None:
    pack = resources.pack
    for text in ("\ud800", "a\udfff", "\0", "", "x" * 100_000, "\U0010ffff", "é"):
        assert pack.exact(text) == ()
        assert pack.zipf(text) in ((0, 0), pack.zipf("é"))
        assert isinstance(pack.stem(text), str)
        assert isinstance(pack.loan(text), str)
        assert pack.starting_at(text, 0, range(1)) == []


def test_the_table_of_contents_and_the_notice_name_the_same_sources(resources: Resources) -> None:
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    listed = {s["name"]: s for s in resources.pack.contents["sources"]}
    assert set(listed) == {*LIBRARIES, "rewriter lexicons"}
    for name, (_, licence) in LIBRARIES.items():
        source = listed[name]
        assert source["licence"] == licence
        line = re.search(rf"^ *{name} +{re.escape(source['version'])} .*(?:\n {{10,}}.*)*", notice, re.IGNORECASE | re.MULTILINE)
        assert line, f"NOTICE does not name {name} {source['version']}"
        assert re.sub(r"\W", "", licence).casefold()[:6] in re.sub(r"\W", "", line[0]).casefold()
    assert listed["rewriter lexicons"]["licence"] in notice


def test_the_pinned_versions_are_those_of_the_build_and_of_the_extra() -> None:
    build = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["build-system"]["requires"]
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg", encoding="utf-8")
    extra = config["options.extras_require"]["curate"].split()
    for name, version in PINNED.items():
        assert f"{name}=={version}" in build
        assert f"{name}=={version}" in extra


def test_the_pack_code_uses_no_pickle_no_marshal_and_no_private_module() -> None:
    wrong = []
    for file in sorted(PACKAGE.glob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module != "__future__":
                names = [str(node.module), *(alias.name for alias in node.names)]
            for name in names:
                parts = name.split(".")
                if any(part.startswith("_") for part in parts) or parts[0] in UNSAFE:
                    wrong.append(f"{file.name}: {name}")
            if isinstance(node, ast.Name) and node.id in ("eval", "exec"):
                wrong.append(f"{file.name}: {node.id}")
    assert wrong == []


# Damage


def flip(data: bytes, place: int) -> bytes:
    return data[:place] + bytes([data[place] ^ 0x41]) + data[place + 1 :]


def refusal(data: bytes) -> str:
    """The message with which a pack is refused, checked to be one sentence; empty where it is taken."""
    try:
        Pack(data, "some.pack")
    except PackError as error:
        message = str(error)
        assert message.startswith("some.pack ")
        assert message.endswith("compile it again.")
        assert "\n" not in message
        return message
    return ""


def test_a_damaged_byte_is_found_wherever_it_is(small: bytes) -> None:
    contents, base = format.read_header(small, "")
    chance = random.Random(1)
    places = [*range(24), *chance.sample(range(24, base), 60)]
    for offset, size, _ in contents["sections"].values():
        places += [base + offset, base + offset + size - 1, *(base + offset + chance.randrange(size) for _ in range(6))]
    assert [place for place in places if not refusal(flip(small, place))] == []


def test_a_truncated_pack_is_refused(small: bytes) -> None:
    contents, base = format.read_header(small, "")
    ends = [base + offset + size for offset, size, _ in contents["sections"].values()]
    places = [0, 1, 23, 24, 100, base - 1, base, *(end - 1 for end in ends), *(end - 5000 for end in ends if end > 5000)]
    assert [place for place in places if place < len(small) and not refusal(small[:place])] == []


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "0 bytes"),
        (b"PK\x03\x04" * 100, "no language pack"),
        (b"RWPK" + b"\x63\0\0\0" + bytes(100), "has format 99"),
        (b"RWPK" + format.FORMAT_VERSION.to_bytes(4, "little") + b"\xff" * 100, "table of contents"),
    ],
)
def test_a_foreign_file_is_refused_with_what_it_is(data: bytes, said: str) -> None:
    assert said in refusal(data)


def test_a_pack_without_a_section_is_refused(small: bytes) -> None:
    contents, base = format.read_header(small, "")
    sections = {n: bytes(format.section(memoryview(small), contents, base, n)) for n in contents["sections"] if n != "zipf.trie"}
    assert "lacks what a pack must hold" in refusal(format.write_pack(sections, {"longest_form": 3}, frozenset()))


@pytest.mark.parametrize(
    "damage", [lambda d: flip(d, 30), lambda d: flip(d, len(d) // 2), lambda d: d[:-9], lambda _: b"", lambda _: b"no pack"]
)
def test_a_damaged_pack_in_the_cache_is_built_again(damage: Callable[[bytes], bytes], small: bytes, cache: Path) -> None:
    store.write_atomic(cache / "key.pack", damage(small))
    pack = store.obtain_pack("key", lambda: small)
    assert pack.exact("nama 7")
    assert (cache / "key.pack").read_bytes() == small


def test_what_the_source_libraries_gave_outlives_a_compile_that_is_broken_off(cache: Path) -> None:
    made = {"a.trie": b"a" * 5_000, "b.json": b"{}"}
    builds: list[str] = []

    def build() -> dict[str, bytes]:
        builds.append("built")
        return made

    assert store.obtain_sections("key", build) == store.obtain_sections("key", build) == made
    assert builds == ["built"]
    (cache / "key.sections").write_bytes(flip((cache / "key.sections").read_bytes(), 200))
    assert store.obtain_sections("key", build) == made
    assert builds == ["built", "built"]


def test_the_key_of_a_pack_names_the_code_that_makes_it() -> None:
    """What `compile.py` and `parse.py` import of the lexicons and of the text, but for what only says how a plan is made."""
    run_time = {"text/language.py", "text/protect.py", "text/reference.py", "text/tokenise.py", "text/words.py", "lexicon/pointing.py"}
    making = ("pack/compile.py", "pack/sources.py", *[f"lexicon/{name}.py" for name in ("association", "parse", "tables", "vocabulary")])
    found = set()
    for module in making:
        text = (ROOT / "rewriter" / module).read_text(encoding="utf-8")
        found |= {name.replace(".", "/") + ".py" for name in re.findall(r"^from rewriter\.((?:lexicon|text)\.\w+) import", text, re.M)}
    assert found - run_time <= set(known.CODE)
    assert {"lexicon/association.py", "lexicon/vocabulary.py", "text/light.py"} <= found


def test_a_path_that_is_no_file_is_refused_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(PackError, match=f"{re.escape(str(tmp_path))} cannot be opened"):
        map_pack(tmp_path)
    with pytest.raises(PackError, match=r"nothing\.pack cannot be opened"):
        map_pack(tmp_path / "nothing.pack")


# Large sections are not read whole at opening


@pytest.fixture
def large(resources: Resources, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A pack whose entries count as large: checked by the block."""
    monkeypatch.setattr(format, "WITH_BLOCKS", 100_000)
    monkeypatch.setattr(format, "CHECKED_AT_OPEN", 100_000)
    monkeypatch.setattr(format, "SAMPLED_BLOCKS", 5)
    path = tmp_path / "large.pack"
    path.write_bytes(compile_entries(resources.pack, make_entries(3_000), ABOUT))
    return path


def test_entries_that_are_checked_by_the_block_are_the_same_entries(resources: Resources, large: Path) -> None:
    mapped, from_bytes = map_pack(large), Pack(large.read_bytes(), "bytes")
    assert "entries.json" not in format.checked_sections(mapped.contents)
    for i in range(0, 3_000, 7):
        assert mapped.exact(f"nama {i}") == from_bytes.exact(f"nama {i}")
        assert any(isinstance(e, Sense) and e.gloss_en == f"gloss {i}" for e in mapped.exact(f"nama {i}"))


def test_a_damaged_entry_of_a_large_pack_is_found_when_it_is_read(large: Path) -> None:
    data = large.read_bytes()
    large.write_bytes(data.replace(b'"gloss 1234"', b'"gloss 1235"'))
    pack = map_pack(large)
    assert pack.exact("nama 1")
    with pytest.raises(PackError, match="damaged in section 'entries"):
        pack.exact("nama 1234")


def test_a_large_section_of_zeros_is_found_at_opening(large: Path) -> None:
    data = large.read_bytes()
    contents, base = format.read_header(data, "")
    for name in contents["sections"]:
        offset, size, _ = contents["sections"][name]
        if name not in format.checked_sections(contents):
            assert refusal(data[: base + offset + size // 2] + bytes(size - size // 2) + data[base + offset + size :]), name


# Where a pack is kept


def test_a_cache_that_cannot_be_written_leaves_the_pack_in_memory(small: bytes, cache: Path, capsys: pytest.CaptureFixture[str]) -> None:
    cache.write_text("a file where the folder should be")
    pack = store.obtain_pack("key", lambda: small)
    assert pack.exact("nama 7")
    said = capsys.readouterr().err
    assert said.startswith("rewriter: the language pack stays in memory, since ")
    assert said.count("\n") == 1


def test_a_full_disk_leaves_the_pack_in_memory_and_nothing_behind(
    small: bytes, cache: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    assert store.obtain_pack("key", lambda: small).exact("nama 7")
    assert "No space left on device" in capsys.readouterr().err
    assert list(cache.iterdir()) == []


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_a_write_that_fails_leaves_the_old_file(step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.pack"
    store.write_atomic(path, b"old")

    def fail(*_: object) -> None:
        raise OSError("stopped")

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(OSError, match="stopped"):
        store.write_atomic(path, b"new")
    assert [p.name for p in tmp_path.iterdir()] == ["a.pack"]
    assert path.read_bytes() == b"old"


def test_only_the_newest_packs_stay(small: bytes, cache: Path) -> None:
    for i in range(store.KEPT_PACKS + 3):
        store.obtain_pack(f"key{i}", lambda: small)
    assert len(list(cache.glob("*.pack"))) == store.KEPT_PACKS
    assert (cache / f"key{store.KEPT_PACKS + 2}.pack").exists()


_FIRST_USE = """
import sys, time
from pathlib import Path
from rewriter.pack import store
def build():
    time.sleep(0.2)
    return Path(sys.argv[1]).read_bytes()
pack = store.obtain_pack("key", build)
print(pack.lexicon_hash, pack.exact("nama 7")[0].id, pack.where.endswith("key.pack"))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="the cache folder is set by XDG_CACHE_HOME")
def test_three_processes_may_use_a_checkout_for_the_first_time_at_once(small: bytes, tmp_path: Path) -> None:
    source = tmp_path / "source"
    source.write_bytes(small)
    env = {**os.environ, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(tmp_path / "home")}
    command = [sys.executable, "-c", _FIRST_USE, str(source)]
    processes = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=env) for _ in range(3)]
    answers = [p.communicate(timeout=120) for p in processes]
    assert {out for out, _ in answers} == {f"{Pack(small, '').lexicon_hash} nama-7.arti True\n"}
    assert {err for _, err in answers} == {""}
    assert [p.name for p in (tmp_path / "home" / "rewriter").iterdir()] == ["key.pack"]


@pytest.mark.skipif(sys.platform != "linux", reason="written out for Linux alone")
@pytest.mark.parametrize("home", [None, "", "/somewhere/cache"])
def test_the_cache_folder_is_that_of_platformdirs(home: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    import platformdirs

    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    if home is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", home)
    assert Path(known.cache_place()) == Path(platformdirs.user_cache_dir("rewriter", appauthor=False))


# The pack of a checkout


@pytest.fixture
def lexicon_folder(tmp_path: Path) -> Path:
    folder = tmp_path / "lexicons"
    folder.mkdir()
    (folder / "a.tsv").write_text("one")
    for name in known.CODE:
        assert (ROOT / "rewriter" / name).is_file()
    return folder


def set_age(folder: Path, monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """Let the clock say that the files were changed so long ago."""
    newest = max(f.stat().st_ctime for f in [*folder.iterdir(), *(ROOT / "rewriter" / name for name in known.CODE)])
    monkeypatch.setattr(checkout.time, "time", lambda: newest + seconds)


def test_lexicon_files_are_read_again_only_when_one_has_changed(lexicon_folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    content_key = checkout.content_key
    monkeypatch.setattr(checkout, "content_key", lambda *a: read.append(1) or content_key(*a))
    set_age(lexicon_folder, monkeypatch, 10)
    key = checkout.checkout_key(lexicon_folder, PINNED)
    assert checkout.checkout_key(lexicon_folder, PINNED) == key
    assert len(read) == 1
    old = (lexicon_folder / "a.tsv").stat()
    (lexicon_folder / "a.tsv").write_text("two")
    os.utime(lexicon_folder / "a.tsv", ns=(old.st_atime_ns, old.st_mtime_ns))  # the same name, size and time
    assert checkout.checkout_key(lexicon_folder, PINNED) != key
    assert len(read) == 2
    (lexicon_folder / "a.tsv").write_text("one")
    assert checkout.checkout_key(lexicon_folder, PINNED) == key


def test_a_start_finds_the_pack_of_last_time(lexicon_folder: Path, cache: Path, small: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    set_age(lexicon_folder, monkeypatch, 10)
    folder = str(lexicon_folder)
    assert known.known_pack(folder) is None
    key = checkout.checkout_key(lexicon_folder, PINNED)
    assert known.known_pack(folder) is None  # the key alone is no pack
    pack = cache / f"{key}.pack"
    pack.write_bytes(small)
    found = known.known_pack(folder)
    assert found is not None
    assert found.where == str(pack)
    pack.write_bytes(small[:-1])
    assert known.known_pack(folder) is None
    pack.write_bytes(small)
    (lexicon_folder / "b.tsv").write_text("two")
    assert known.known_pack(folder) is None


def test_files_changed_a_moment_ago_are_not_trusted_to_stay(lexicon_folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_age(lexicon_folder, monkeypatch, 1)
    checkout.checkout_key(lexicon_folder, PINNED)
    assert not cache.exists()


def test_a_spoilt_record_is_no_record(lexicon_folder: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    set_age(lexicon_folder, monkeypatch, 10)
    key = checkout.checkout_key(lexicon_folder, PINNED)
    (record,) = cache.iterdir()
    for text in ("", "\n", f"{key}\n", "../../key\n" + record.read_text().partition("\n")[2], "\x00"):
        record.write_text(text, encoding="utf-8")
        assert checkout.checkout_key(lexicon_folder, PINNED) == key


def test_other_versions_of_the_libraries_have_a_key_of_their_own(lexicon_folder: Path, cache: Path) -> None:
    assert checkout.checkout_key(lexicon_folder, PINNED) != checkout.checkout_key(lexicon_folder, {**PINNED, "spacy": "3.8.0"})


_OVERLAY = """
import json, sys
for name in {names}:
    sys.modules[name] = None
import rewriter
resources = rewriter.load_resources({path!r})
plan = rewriter.rewrite("harga zeta qux", resources=resources)
print(json.dumps([[m.sense for m in plan.mentions], resources.pack.where]))
"""
_SENSE = """[zeta-qux.phone]
forms = ["zeta qux"]
canonical.en = "Zeta Qux phone"
canonical.id = "ponsel Zeta Qux"
gloss.en = "a phone"
gloss.id = "sebuah ponsel"
domain = "technology"
cues = ["harga"]
source = "curated"
"""


def test_overlays_need_none_of_the_libraries_once_the_pack_is_compiled(resources: Resources, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(_SENSE, encoding="utf-8")
    done = run_python(_OVERLAY.format(names=LIBRARY_NAMES, path=str(path)))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [["zeta-qux.phone"], resources.pack.where]


@pytest.mark.skipif(Path(SHIPPED).exists(), reason="a wheel carries its pack")
def test_compiling_without_a_library_says_which_and_what_to_do(tmp_path: Path) -> None:
    code = f"import sys\nfor name in {LIBRARY_NAMES}:\n    sys.modules[name] = None\n" + (
        "from rewriter import PackError\nfrom rewriter.pack.files import compile_folder, lexicons_folder\n"
        "try:\n    compile_folder(lexicons_folder())\nexcept PackError as error:\n    print(error)\n"
    )
    assert run_python(code).stdout.startswith("The language pack is compiled with babel, which cannot be imported; run `pip install")


def test_the_compiler_has_the_pinned_versions_here() -> None:
    pytest.importorskip("spacy")
    assert library_versions() == PINNED


def test_an_overlay_shares_the_pack_of_the_default(resources: Resources, tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    path.write_text(_SENSE, encoding="utf-8")
    assert load_resources(path).pack is rewriter.default_resources().pack
