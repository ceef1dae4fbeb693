"""Verbs in the form that careful Indonesian writers use behind `cara`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from rewriter.record import replace
from rewriter.resources import Resources
from rewriter.text import id
from rewriter.text.words import Word

__all__ = ["formal_verb", "formal_words"]

ENGLISH_BY = 40
"""Hundredths of Zipf by which a base is more English than Indonesian: loans (`download`, `login`) stay bare, as in print."""
COMMON = 200
"""Zipf 2.0: an affixed form that is rarer is none that people write."""
_OWN = {
    "benerin": "memperbaiki", "bikin": "membuat", "dapat": "mendapatkan", "dapet": "mendapatkan", "jadi": "menjadi", "kerja": "bekerja",
    "pake": "memakai", "punya": "memiliki",
    "filter": "memfilter", "convert": "mengonversi", "export": "mengekspor", "ekspor": "mengekspor", "import": "mengimpor",
    "edit": "mengedit", "reset": "mereset", "scan": "memindai", "install": "menginstal", "instal": "menginstal", "upload": "mengunggah",
    "update": "memperbarui", "setting": "mengatur", "cancel": "membatalkan", "print": "mencetak", "copy": "menyalin", "crop": "memotong",
    "tahu": "mengetahui", "tau": "mengetahui", "ketahui": "mengetahui", "liat": "melihat", "nemuin": "menemukan", "temukan": "menemukan",
}  # fmt: skip
"""Verbs whose formal form is no affix of theirs, and loans that have one in print."""


_MOVED = frozenset("data file foto video kontak chat aplikasi game akun saldo uang dokumen folder windows sistem kartu".split())
"""What one moves from place to place, behind `pindah`."""


def formal_words(words: Sequence[Word], language: str, resources: Resources) -> list[Word]:
    """`hapus akun` → `menghapus akun`: the first word in its formal form, where it is a verb that has one."""
    if language != "id" or not words or words[0].guard:
        return list(words)
    first = words[0]
    moved = first.folded == "pindah" and len(words) > 1 and words[1].folded in _MOVED
    made = "memindahkan" if moved else formal_verb(first.folded, resources)
    if made == first.folded:
        return list(words)
    return [replace(first, text=made, folded=made, kind="rewrite", rule="formal_verb"), *words[1:]]


def formal_verb(word: str, resources: Resources) -> str:
    """The active form with `me-` of a base or spoken verb; a word that is no verb, has its form or is a loan stays.

    Spoken verbs have a bare nasal (`ngurus`, `nyari`) or `-in` (`hilangin`); of the forms that they may stand for, the one
    that people write most.
    """
    if word in _OWN:
        return _OWN[word]
    zipf = resources.zipf(word)
    if word in id.INTRANSITIVE or not word.isalpha() or (word.startswith("me") and resources.is_verb(word)):
        return word
    if resources.is_verb(word) and zipf[0] + ENGLISH_BY > zipf[1]:
        made = id.active(word)
        return made if made != word and resources.zipf(made)[0] else word
    spoken = max(_written(word), key=lambda form: (resources.zipf(form)[0], form), default="") if not resources.translations(word) else ""
    return spoken if spoken and resources.zipf(spoken)[0] >= max(COMMON, zipf[1] - 100) else word


_LAST_E = re.compile(r"e([^aeiou]+)\Z")
"""Speech has `e` in a last syllable where writing has `a`: ngadepin, menghadapi."""


def _written(word: str) -> Iterator[str]:
    """Written forms that a spoken verb may stand for: `ngadepin` → menghadapi, menghadapkan …"""
    bodies = []
    nasal = word.startswith(("ng", "ny", "n", "m")) and not word.startswith("me")
    if nasal:
        bodies.append("me" + word)
        if word.startswith("nge"):
            bodies.append("menge" + word[3:])
            bodies.append(id.active(word[3:]))
        if word.startswith("ng") and word[2:3] in tuple("aiueo"):
            bodies.append("mengh" + word[2:])
        if word.startswith("ny"):
            bodies.append("menc" + word[2:])
        elif word.startswith("n") and word[1:2] in tuple("aiueo"):
            bodies += ["men" + word[1:], "menc" + word[1:]]
    elif word.endswith("in"):
        bodies.append(id.active(word))
        if word.startswith("p"):
            bodies.append("memp" + word[1:])
    for body in bodies:
        if word.endswith("in") and len(body) > 6:
            for stem in (body[:-2], _LAST_E.sub(r"a\1", body[:-2])):
                yield stem + "kan"
                yield stem + "i"
        if nasal:
            yield body
