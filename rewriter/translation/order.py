"""English order: Indonesian noun phrases turned round, `yang` taken in, degree words and superlatives put before their adjective."""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.record import replace
from rewriter.text import en, id
from rewriter.translation.unit import Unit
from rewriter.translation.units import merge_names

__all__ = ["HEAD_OF", "english_order"]

NOUNS = frozenset({"n", "nu", "np"})
NAMES = frozenset({"name", "en"})
HEAD_OF = {
    "beda": "between", "bedanya": "between", "perbedaan": "between", "perbandingan": "between", "akibat": "of", "arti": "of",
    "bahaya": "of", "cara kerja": "of", "ciri": "of", "ciri-ciri": "of", "contoh": "of", "dampak": "of",
    "definisi": "of", "efek": "of", "efek samping": "of", "fungsi": "of", "gejala": "of", "hukum": "of", "jenis": "of", "jenis-jenis": "of",
    "jumlah": "of", "kegunaan": "of", "kekurangan": "of", "kelebihan": "of", "keuntungan": "of", "keunggulan": "of", "khasiat": "of",
    "kisah": "of", "kandungan": "of", "luas": "of", "macam": "of", "macam-macam": "of", "makna": "of", "manfaat": "of",
    "nama": "of", "nama-nama": "of",
    "peran": "of", "penyebab": "of", "pengaruh": "of", "pengertian": "of", "perkembangan": "of", "proses": "of", "rukun": "of",
    "sejarah": "of",
    "sifat": "of", "silsilah": "of", "struktur": "of", "tahap": "of", "tahapan": "of", "tanda": "of", "tanda-tanda": "of", "tujuan": "of",
    "urutan": "of", "daftar": "of", "kumpulan": "of", "macam macam": "of", "jenis jenis": "of", "ciri ciri": "of", "asal usul": "of",
    "syarat": "for", "syarat-syarat": "for", "persyaratan": "for", "obat": "for", "tips": "for", "alasan": "for", "rekomendasi": "for",
}  # fmt: skip
"""Nouns that English joins to what follows by a preposition, where a noun before a noun would read badly."""
PLURAL_HEADS = frozenset(
    """syarat persyaratan manfaat gejala penyebab jenis ciri tanda dampak efek fungsi kelebihan kekurangan keuntungan keunggulan
    bahaya macam contoh tahap tahapan kegunaan khasiat""".split()
)
"""Of those the ones that English asks for in the plural."""
TITLES = frozenset(
    """
    presiden raja ratu pangeran putri sultan nabi rasul paus jenderal profesor dokter pak bu bapak ibu gubernur menteri bupati
    kapten letnan danau gunung gunungapi teluk selat tanjung pulau kaisar perdana wali santo santa surah surat juz pasal bab
    kelas level tipe type seri versi episode season bagian nomor
    """.split()
)
"""Titles and the like stay before their name: President Soekarno, Lake Toba, Mount Semeru."""
DEGREE = frozenset({"sangat", "amat", "terlalu", "cukup", "agak", "lebih", "paling", "kurang", "makin", "semakin"})
AFTER_DEGREE = frozenset({"sekali", "banget", "amat"})


WHAT = {"apa": "what", "apakah": "what", "apa yang": "what", "apakah yang": "what", "mana": "which", "manakah": "which"}


def _asked_about(units: Sequence[Unit], at: int) -> Unit | None:
    """The question word that stands behind its noun: `warna apa` is what colour, `negara manakah` which country."""
    if at < len(units) and units[at].form in WHAT:
        return replace(units[at], text=WHAT[units[at].form], pos="q")
    return None


def english_order(units: Sequence[Unit]) -> list[Unit]:
    """The units of a query in English order; nothing is lost but `dropped` units and the `yang` that English does without."""
    units = _of_relation(_question_tag(_asked_twice(_spoken_to(units))))
    flat = _degrees(merge_names([u for u in units if u.state != "dropped"]))
    out: list[Unit] = []
    i = 0
    while i < len(flat):
        if _starts_phrase(flat[i]):
            end = _phrase_end(flat, i)
            asked = _asked_about(flat, end) if not any([u.pos == "q" for u in out]) else None
            if asked is not None:
                out += [asked, *_turn(flat[i:end])]
                i = end + 1
                continue
            predicate = _predicate(flat, i, end)
            out += [*_turn(flat[i : end - len(predicate)]), *predicate]
            i = end
        else:
            out.append(flat[i])
            i += 1
    return _question_first(out)


_CHAT = frozenset("min mimin gan sis kak".split())
VOCATIVES = _CHAT | frozenset("kaka admin bro bang om tante mbak mba bund bunda kakak dok".split())


def _spoken_to(units: Sequence[Unit]) -> list[Unit]:
    """`cara daftar gimana min`: who is spoken to at the end of a question is no part of it; `min` and `gan` are never more than that."""
    made = list(units)
    spoken = _spoken(made)
    if len(spoken) < 3 or made[spoken[-1]].form not in VOCATIVES:
        return made
    asks = any([u.pos == "q" for u in made]) and made[spoken[-2]].pos in ("q", "part", "adv", "v")
    if asks or made[spoken[-1]].form in _CHAT:
        made[spoken[-1]] = replace(made[spoken[-1]], state="dropped")
    return made


def _asked_twice(units: Sequence[Unit]) -> list[Unit]:
    """`cara daftar gimana`: the manner is asked by `cara` already."""
    made = list(units)
    spoken = _spoken(made)
    if len(spoken) > 1 and made[spoken[-1]].text == "how" and any([made[i].text.startswith("how to") for i in spoken]):
        made[spoken[-1]] = replace(made[spoken[-1]], state="dropped")
    return made


def _spoken(units: Sequence[Unit]) -> list[int]:
    """Indices of the units that are said in English."""
    return [i for i, u in enumerate(units) if u.state != "dropped" and u.pos != "punct"]


def _of_relation(units: Sequence[Unit]) -> list[Unit]:
    """`arti dari X`: after a noun of relation `dari` joins and says no place; `beda X sama Y` is between X and Y."""
    made = list(units)
    between = next((i for i, u in enumerate(made) if HEAD_OF.get(u.form) == "between"), None)
    joins = next((i for i, u in enumerate(made) if between is not None and i > between + 1 and u.form in _WITH), None)
    if joins is not None:
        made[joins] = replace(made[joins], text="and", pos="conj")
    for i in range(1, len(made)):
        if made[i].form != "dari" or made[i].state != "translated":
            continue
        if made[i - 1].text.endswith(" of"):  # `apakah arti` is what is the meaning of
            made[i] = replace(made[i], state="dropped")
        elif made[i - 1].form in HEAD_OF:
            made[i] = replace(made[i], text=HEAD_OF[made[i - 1].form])
    return made


def _question_tag(units: Sequence[Unit]) -> list[Unit]:
    """`aman gak` asks: safe or not."""
    spoken = _spoken(units)
    if len(spoken) < 2 or units[spoken[-1]].form not in id.QUESTION_TAGS or units[spoken[-2]].form in ("atau", "apa"):
        return list(units)
    made = list(units)
    made[spoken[-1]] = replace(units[spoken[-1]], text="or not", pos="x", rule="question_tag", state="translated")
    return made


_WITH = frozenset("sama dengan dgn dg ama".split())
ASKED_LAST = frozenset(
    """
    harga biaya tarif syarat syarat-syarat persyaratan resep obat jadwal alamat spesifikasi spek lirik chord sinopsis manfaat gejala
    penyebab khasiat
    """.split()
)
"""Nouns that a query puts behind the thing they are asked of (`visa jepang syarat`), where a phrase has its head first."""


def _asked_last(units: Sequence[Unit]) -> bool:
    """Is the last noun what is asked of the whole phrase before it?  `toko obat` and `kenaikan harga` are compounds."""
    head, last = units[0], units[-1]
    whole = len(units) > 2 or " " in head.form or head.pos in NAMES
    derived = head.form.startswith(("ke", "pe")) and head.form.endswith("an")
    return whole and last.form in ASKED_LAST and not derived and head.form not in id.ATTRIBUTES and head.form not in HEAD_OF


def _starts_phrase(unit: Unit) -> bool:
    return unit.pos in NOUNS or unit.pos in NAMES


def _phrase_end(units: Sequence[Unit], i: int) -> int:
    """Where the noun phrase that begins at `i` ends: nouns, names, adjectives, amounts, `yang` + adjective, `ini`/`itu`."""
    end = i + 1
    while end < len(units):
        unit = units[end]
        if _starts_phrase(unit) or unit.pos == "adj" or (unit.pos == "num" and unit.rule == "translate_amount"):
            end += 1
        elif unit.form == "yang" and end + 1 < len(units) and units[end + 1].pos == "adj":
            end += 2
        elif _is_demonstrative(unit):
            return end + 1
        else:
            break
    return end


def _predicate(units: Sequence[Unit], start: int, end: int) -> list[Unit]:
    """In a question with kenapa or apakah the last adjective of a closing phrase says something of it: why is (the) wifi slow."""
    asks = start > 0 and units[start - 1].form.startswith(("kenapa", "mengapa", "apakah"))
    if asks and end == len(units) and end - start > 1 and units[end - 1].pos == "adj" and units[end - 2].form != "yang":
        return [units[end - 1]]
    return []


def _plural_head(unit: Unit) -> Unit:
    return replace(unit, text=en.plural(unit.text), pos="np") if unit.form in PLURAL_HEADS and unit.pos == "n" else unit


def _is_demonstrative(unit: Unit) -> bool:
    return unit.form in ("ini", "itu", "tersebut") and unit.pos in ("det", "pron")


def _turn(phrase: Sequence[Unit]) -> list[Unit]:
    """A noun phrase turned round: `harga mobil bekas murah` → cheap used car price."""
    units = [u for u in phrase if u.form != "yang"]
    demonstrative = [u for u in units if _is_demonstrative(u)]
    units = [u for u in units if u not in demonstrative]
    if not units:
        return demonstrative
    head = units[0]
    rest = units[1:]
    if rest and _asked_last(units):
        return [*demonstrative, *_turn(units[:-1]), _plural_head(units[-1])]
    relation, of, thing = head.text.partition(" of ")
    if of and rest and head.rule == "translate_phrase":  # `penyebab mata merah` + `berair`: causes of watery red eyes
        return [*demonstrative, replace(head, text=f"{relation} of"), *_turn([replace(head, text=thing), *rest])]
    if head.form in HEAD_OF and rest and any(_starts_phrase(u) for u in rest):
        own = []
        while rest and rest[0].pos == "adj":
            own.append(rest.pop(0))
        if rest:
            head = _plural_head(head)
            link = Unit(HEAD_OF[head.form], "prep", head.start, head.end, "link_head", head.evidence, "translated", "")
            return [*demonstrative, *own, head, link, *_turn(rest)]
    if head.form.split(" ")[-1] in TITLES and rest and rest[0].pos in NAMES | {"num"}:
        return [*demonstrative, *_reversed(rest[1:]), head, rest[0]]
    return [*demonstrative, *_reversed(units)]


def _reversed(units: Sequence[Unit]) -> list[Unit]:
    """Last first; but an amount before a noun is one modifier with it (`2 lantai`), and amounts at the end stay there."""
    end = len(units)
    while end > 1 and units[end - 1].pos == "num":
        end -= 1
    groups: list[list[Unit]] = []
    i = 0
    while i < end:
        size = 2 if units[i].pos == "num" and i + 1 < end and units[i + 1].pos in NOUNS else 1
        groups.append(list(units[i : i + size]))
        i += size
    return [u for group in reversed(groups) for u in group] + list(units[end:])


def _degrees(units: Sequence[Unit]) -> list[Unit]:
    """`paling murah` → cheapest, `lebih murah` → cheaper, `murah sekali` → very cheap: one adjective each."""
    out: list[Unit] = []
    for unit in units:
        last = out[-1] if out else None
        if last is not None and last.form in DEGREE and unit.pos in ("adj", "adv"):
            text = (
                en.superlative(unit.text) if last.form == "paling"
                else _comparative(unit.text) if last.form == "lebih"
                else f"{last.text} {unit.text}"
            )  # fmt: skip
            out[-1] = replace(unit, text=text, start=last.start, rule="degree", evidence=(*last.evidence, *unit.evidence))
        elif last is not None and last.pos == "adj" and unit.form in AFTER_DEGREE:
            out[-1] = replace(last, text=f"very {last.text}", end=unit.end, rule="degree", evidence=(*last.evidence, *unit.evidence))
        else:
            out.append(unit)
    return out


def _comparative(adjective: str) -> str:
    """`cheaper`, `more expensive`, from the superlative's own rule.

    >>> _comparative("cheap"), _comparative("expensive"), _comparative("good")
    ('cheaper', 'more expensive', 'better')
    """
    best = en.superlative(adjective)
    if best.startswith("most "):
        return f"more {adjective}"
    return {"best": "better", "worst": "worse", "farthest": "farther", "most": "more", "least": "less"}.get(best, best[:-2] + "r")


def _question_first(units: list[Unit]) -> list[Unit]:
    """`harga iphone berapa` → how much iphone price: a question word that ends the query opens it in English."""
    last = len(units) - 1
    while last >= 0 and units[last].pos == "punct":
        last -= 1
    if last > 0 and units[last].pos == "q" and not any(u.pos == "q" for u in units[:last]):
        return [units[last], *units[:last], *units[last + 1 :]]
    return units
