"""All Hypothesis strategies of the suite, and the vocabulary that they draw from."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from typing import Any

from hypothesis import strategies as st

from rewriter import Policy, Turn

Row = dict[str, Any]
"""A sense as a lexicon file holds it."""

# ── Vocabulary ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

INDONESIAN = tuple(
    """harga mobil bekas murah cara membuat kue resep obat batuk anak syarat daftar kuliah gratis terbaik rumah dijual dekat
    stasiun jadwal kereta bandung jakarta manfaat daun kelor penyebab rambut rontok perbedaan gejala demam berdarah lowongan kerja
    buku-buku dibeli pembuatan ketinggian harganya murahnya terjangkau mengurus paspor pinjaman bunga rendah bank tempat wisata untuk
    yang dengan di dari dan atau itu adalah sudah belum bisa apa berapa bagaimana kenapa kapan siapa""".split()
)
ENGLISH = tuple(
    """best cheap laptop for students how to fix python error symptoms of flu price apple jaguar spring boot tutorial what is the
    difference between near me without sugar not working used car recipe movie review install docker on ubuntu download free weather
    tomorrow why does my it this they and or""".split()
)
SLANG = tuple("gmn cara gw lu bgt yg dgn utk krn ga nggak gak klo kalo bs udh blm org hp mager baper gabut woles btw pls thx idk".split())
NAMES = ("Siti Badriah", "Wonogiri", "Xiaomi", "Tokopedia", "Sukabumi", "Toyota", "Lenovo", "Prabowo Subianto")
NICKNAMES = ("nano banana", "maung bandung", "meja hijau", "kambing hitam", "python", "jaguar", "apple", "java", "spring", "bca")
CONSTRAINTS = (
    '"jual rugi"', '"machine learning"', "site:go.id", "filetype:pdf", "intitle:lowongan", "-bekas", '-"second hand"', "site:kompas.com",
    "https://contoh.id/a?b=1", "budi@contoh.co.id", "/etc/nginx/nginx.conf", "C:\\Users\\budi", "`git rebase -i`", "os.path.join()",
    "ModuleNotFoundError: numpy", "ERR_CONNECTION_REFUSED", "0x80070005", "9f86d081884c7d65", "v1.2.3", "3.11.4", "WH-1000XM5", "L3210",
    "UU No 11 Tahun 2008", "Pasal 378 KUHP", "ISO 27001", "C++", "C#",
)  # fmt: skip
QUOTES = ("“jual rugi”", "‘apa adanya saja’", "«bon voyage»", "„guten tag”", '"tidak ditutup', "'dua kata'", "“tidak ditutup")
AMOUNTS = ("Rp 2 juta", "Rp50.000", "5kg", "1,5 liter", "10%", "2025", "17 Agustus 1945", "12 GB", "3 tahun", "100 usd", "10.30 WIB")
EMOJI = ("😀", "🍌", "👩\N{ZERO WIDTH JOINER}💻", "🇮🇩", "❤\N{VARIATION SELECTOR-16}", "👍🏽")
BIDI = ("\N{RIGHT-TO-LEFT OVERRIDE}", "\N{LEFT-TO-RIGHT ISOLATE}", "\N{POP DIRECTIONAL ISOLATE}", "عربي", "עברית", "\N{ARABIC LETTER MARK}")
ODD = (
    "\x00", "\ud800", "\udfff", "\udc80", "\N{ZERO WIDTH SPACE}", "\N{SOFT HYPHEN}", "\N{BYTE ORDER MARK}", "e\N{COMBINING ACUTE ACCENT}",
    "ﾊﾝ", "ＮＡＮＯ", "İ", "ß", "ﬁ", "²", "①", "각", "\N{HANGUL CHOSEONG KIYEOK}\N{HANGUL JUNGSEONG A}", "นี้", "हिन्दी", "字", "—", "…", "?",
    "!", ",", ".", "-", "'", '"', "’", "(", ")", "*", "|", "OR", "AND", "NOT", "\N{NO-BREAK SPACE}", "\N{LINE SEPARATOR}", "\x1c", "\n", "",
)  # fmt: skip
GAPS = (" ", " ", " ", " ", "  ", "\t", "\n", "\N{NO-BREAK SPACE}", "", ", ")
CUES = ("kode", "makan", "sawah", "mesin", "layar", "konser", "obat", "kapal")

WORDS = (*INDONESIAN, *ENGLISH)
PARTS = (WORDS, WORDS, WORDS, SLANG, NAMES, NICKNAMES, CONSTRAINTS, QUOTES, AMOUNTS, EMOJI, BIDI, ODD)


def sample_queries(count: int, seed: int = 0) -> list[str]:
    """Queries as `mixed_queries` draws them, from a seed alone: the same list in every process."""
    draw = random.Random(seed)
    made = []
    for _ in range(count):
        words = [draw.choice(draw.choice(PARTS)) for _ in range(draw.randint(1, 9))]
        made.append("".join(word + draw.choice(GAPS) for word in words))
    return made


# ── Text ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────


def _has_pair(text: str) -> bool:
    return any("\ud800" <= a <= "\udbff" and "\udc00" <= b <= "\udfff" for a, b in zip(text, text[1:], strict=False))


def any_text(max_size: int = 120) -> st.SearchStrategy[str]:
    """Arbitrary text with lone surrogates, controls and unassigned code points."""
    everything = st.characters(exclude_categories=())
    likely = st.sampled_from("".join(o for o in (*ODD, *BIDI, *EMOJI)) + "ab1 \"'")
    return st.one_of(st.text(everything, max_size=max_size), st.text(likely, max_size=max_size))


def words() -> st.SearchStrategy[str]:
    """One plain word of either language."""
    return st.sampled_from(WORDS)


def plain_queries(min_words: int = 1, max_words: int = 10) -> st.SearchStrategy[str]:
    """Plain words of both languages, slang and nicknames among them."""
    return st.lists(st.sampled_from((*WORDS, *SLANG, *NICKNAMES)), min_size=min_words, max_size=max_words).map(" ".join)


@st.composite
def mixed_queries(draw: st.DrawFn) -> str:
    """Words, slang, names, operators, quotes, numbers, emoji, bidi and odd characters, with odd white space between."""
    part = st.sampled_from(PARTS).flatmap(st.sampled_from)
    pairs = draw(st.lists(st.tuples(part, st.sampled_from(GAPS)), min_size=1, max_size=10))
    return "".join(word + gap for word, gap in pairs)


def queries() -> st.SearchStrategy[str]:
    """Any query: what people type, what they paste, and what nobody types."""
    return st.one_of(plain_queries(), mixed_queries(), mixed_queries(), any_text())


def json_queries() -> st.SearchStrategy[str]:
    """Any query that JSON can carry (all but a high surrogate right before a low one)."""
    return queries().filter(lambda q: not _has_pair(q))


def queries_with(part: st.SearchStrategy[str]) -> st.SearchStrategy[tuple[str, str]]:
    """A plain query with a given part somewhere in it, and the part."""
    return st.tuples(st.lists(words(), min_size=1, max_size=4), part, st.lists(words(), max_size=3)).map(
        lambda t: (" ".join([*t[0], t[1], *t[2]]), t[1])
    )


# ── Conversations and policies ────────────────────────────────────────────────────────────────────────────────────────────────────────────

ROLES = ("user", "assistant", "system", "developer", "tool")


def turns() -> st.SearchStrategy[Turn]:
    """One turn of any known role."""
    return st.builds(Turn, st.sampled_from(ROLES), st.one_of(plain_queries(max_words=14), mixed_queries(), any_text()))


def contexts(max_size: int = 4) -> st.SearchStrategy[list[Turn]]:
    """A conversation, oldest turn first."""
    return st.lists(turns(), max_size=max_size)


def policies() -> st.SearchStrategy[Policy]:
    """Policies that differ in the numbers that change what is written."""
    return st.builds(
        Policy,
        max_variants=st.integers(1, 6),
        long_query_words=st.integers(0, 12),
        long_query_variants=st.integers(1, 5),
        ask=st.booleans(),
        ask_margin=st.sampled_from((0, 50, 100, 400)),
        ask_max_content_words=st.integers(0, 4),
        near_depth=st.integers(0, 3),
        max_options=st.integers(2, 4),
        max_turns=st.integers(0, 3),
    )


# ── Small lexicons ────────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

SYNTHETIC_FORMS = ("zorblat", "kwimpi", "vexu nari", "brofta", "zorblat mini")
DOMAINS = ("technology/ai", "technology/software", "food/dishes", "agriculture/crops", "sport/football", "no/such/domain")
_NAMES = ("mesin Kwendra", "buah trantil", "band Oskavel", "kapal Nimruz", "obat fluxin", "tim Garvola")


@st.composite
def senses(draw: st.DrawFn, number: int) -> Row:
    """A sense with made-up forms, so that nothing shipped has them."""
    name = draw(st.sampled_from(_NAMES))
    row: Row = {
        "id": f"zz{number}.sense",
        "forms": draw(st.lists(st.sampled_from(SYNTHETIC_FORMS), min_size=1, max_size=3, unique=True)),
        "canonical": {"en": f"{name} {number}", "id": f"{name} {number}"},
        "gloss": {"en": f"thing {number}", "id": f"benda {number}"},
        "domain": draw(st.sampled_from(DOMAINS)),
        "cues": draw(st.lists(st.sampled_from(CUES), max_size=4, unique=True)),
        "source": "test",
    }
    if draw(st.booleans()):
        row["prior"] = draw(st.integers(0, 300))
    if draw(st.booleans()):
        row["needs_cue"] = draw(st.just(True))
    return row


def lexicons(min_size: int = 1, max_size: int = 5) -> st.SearchStrategy[list[Row]]:
    """A few senses with different ids, some of them under the same forms."""
    return st.integers(min_size, max_size).flatmap(lambda n: st.tuples(*[senses(i) for i in range(n)]).map(list))


def synthetic_queries() -> st.SearchStrategy[str]:
    """Queries with a form of the small lexicons, with and without cues beside it."""
    beside = st.lists(st.sampled_from((*CUES, "harga", "cara", "terbaru", "how", "price")), max_size=3)
    return st.tuples(beside, st.sampled_from(SYNTHETIC_FORMS), beside).map(lambda t: " ".join([*t[0], t[1], *t[2]]))


def to_jsonl(rows: Sequence[Mapping[str, Any]]) -> str:
    """A JSONL lexicon."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def to_toml(rows: Sequence[Mapping[str, Any]]) -> str:
    """A TOML lexicon with the same content: JSON's strings, lists and integers are TOML's."""
    lines = []
    for row in rows:
        lines.append(f"[{row['id']}]")
        for key, value in row.items():
            if isinstance(value, Mapping):
                lines += [f"{key}.{inner} = {json.dumps(text, ensure_ascii=False)}" for inner, text in value.items()]
            elif key != "id":
                lines.append(f"{key} = {json.dumps(value, ensure_ascii=False)}")
    return "\n".join(lines) + "\n"


# ── Entries as curators write them ────────────────────────────────────────────────────────────────────────────────────────────────────────

_SYLLABLES = ("zor", "blat", "kwi", "mpi", "vex", "unar", "brof", "tal", "drun", "pexo")
_MADE_UP = st.lists(st.sampled_from(_SYLLABLES), min_size=2, max_size=4).map("".join)
_ODD_TEXT = st.sampled_from(
    ('a "quoted" name', "back\\slash", "50 % | half", "C# = sharp, C++", "naïve café", "Ω-3", "'single'", "# no comment", "a => b")
)


def made_up_texts() -> st.SearchStrategy[str]:
    """Short texts, some with every sign that a file format could trip over."""
    return st.one_of(st.lists(_MADE_UP, min_size=1, max_size=3).map(" ".join), _ODD_TEXT)


@st.composite
def entry_rows(draw: st.DrawFn, kind: str | None = None) -> tuple[str, Row]:
    """Kind and fields of an entry in plain shape (`rewriter.curation.rows`), without empty fields."""
    kind = kind or draw(st.sampled_from(("sense", "jargon", "translation", "slang-id")))
    form = draw(st.lists(_MADE_UP, min_size=1, max_size=2).map(" ".join))
    status = {"status": draw(st.sampled_from(("draft", "reviewed")))}
    if kind in ("translation", "slang-id"):
        when = draw(st.lists(_MADE_UP, max_size=2, unique=True))
        target = draw(made_up_texts())
        return kind, {"form": form, "to": target, "pos": "n", **({"when": when} if when else {}), **status}
    fields: Row = {
        "id": f"{form.replace(' ', '-')}.{draw(_MADE_UP)}",
        "forms": draw(st.lists(_MADE_UP, max_size=3, unique=True).map(lambda more: list(dict.fromkeys([form, *more])))),
        "gloss.en": draw(made_up_texts()), "gloss.id": draw(made_up_texts()), "domain": draw(st.sampled_from(DOMAINS[:5])),
        "cues": draw(st.lists(_MADE_UP, min_size=3, max_size=5, unique=True)), "source": "curated", **status,
    }  # fmt: skip
    if kind == "jargon":
        fields |= {"direction": "lay-to-expert", "expert.id": draw(st.lists(made_up_texts(), min_size=1, max_size=3, unique=True))}
        fields |= {"expert.en": draw(st.lists(made_up_texts(), max_size=2, unique=True))}
    else:
        fields |= {"canonical.en": draw(made_up_texts()), "canonical.id": draw(made_up_texts()), "prior": draw(st.integers(1, 600))}
        fields |= {"needs_cue": draw(st.booleans()), "synonyms": draw(st.lists(made_up_texts(), max_size=3, unique=True))}
        fields |= {"examples": draw(st.lists(st.fixed_dictionaries({"query": made_up_texts(), "sense": _MADE_UP}), max_size=2))}
    return kind, {name: value for name, value in fields.items() if value not in ([], False, "")}
