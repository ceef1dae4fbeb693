"""English equals of amounts and dates as Indonesians write them."""

from __future__ import annotations

import re

from rewriter.text.en import plural

__all__ = ["english_amount"]

MONTHS = {
    "januari": "January", "februari": "February", "maret": "March", "april": "April", "mei": "May", "juni": "June", "juli": "July",
    "agustus": "August", "september": "September", "oktober": "October", "november": "November", "desember": "December", "agu": "Aug",
    "agt": "Aug", "okt": "Oct", "des": "Dec",
}  # fmt: skip
SCALES = {
    "juta": "million", "jt": "million", "mio": "million", "ribu": "thousand", "rb": "thousand", "miliar": "billion", "milyar": "billion",
    "triliun": "trillion",
}  # fmt: skip
UNITS = {
    "tahun": "year", "thn": "year", "bulan": "month", "bln": "month", "minggu": "week", "hari": "day", "jam": "hour", "menit": "minute",
    "detik": "second", "derajat": "degree", "derajat celcius": "degree Celsius", "derajat celsius": "degree Celsius", "orang": "person",
    "liter": "liter", "meter": "meter", "gram": "gram", "ton": "ton", "kwintal": "quintal", "hektar": "hectare", "hektare": "hectare",
    "inci": "inch", "inch": "inch", "kalori": "calorie", "persen": "percent", "mil": "mile", "kaki": "foot", "ons": "hectogram",
    "kkal": "kcal", "pcs": "pcs", "km/jam": "km/h", "gr": "g", "ltr": "L", "lt": "L", "pk": "PK",
}  # fmt: skip
INVARIABLE = frozenset({"percent", "kcal", "pcs", "km/h", "g", "L", "PK"})
CLASSIFIERS = frozenset({"buah", "ekor", "lembar", "butir", "batang", "helai", "pasang"})
_RUPIAH = re.compile(r"(?i)^(rp|idr)\.?\s?(?=\d)")
_AFTER = re.compile(r"(?i)(?<=[\d\s])(rupiah|rp)$")
_DECIMAL = re.compile(r"(?<![\d.,])(\d{1,3}),(\d{1,2})(?![\d.,])")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:\.\d{3})+(?:,\d{1,2}|,-)?(?![\d.])")
_PARTS = re.compile(r"(?i)(?P<number>[\d.,/-]*\d(?:\s?[x×]\s?\d[\d.,]*)*)(?P<gap>\s?)(?P<word>[^\d\s].*)?$")


def english_amount(text: str, kind: str) -> str:
    """An amount, date or number in English; as it is where English writes it so.

    >>> [english_amount(t, "amount") for t in ("Rp 2 juta", "1,5 liter", "5kg", "3 tahun", "100jt an", "50 ribuan", "2 ekor")]
    ['IDR 2 million', '1.5 liters', '5kg', '3 years', 'around 100 million', 'around 50 thousand', '2']
    >>> english_amount("17 Agustus 1945", "date"), english_amount("10.00 WIB", "date"), english_amount("25.000", "number")
    ('17 August 1945', '10.00 WIB', '25,000')
    """
    if kind == "date":
        return " ".join([MONTHS.get(w.lower(), w) for w in text.split(" ")])
    made = _THOUSANDS.sub(_swap_separators, text)
    made = _DECIMAL.sub(r"\1.\2", made)
    prefix = ""
    if _RUPIAH.match(made):
        prefix, made = "IDR ", _RUPIAH.sub("", made)
    elif _AFTER.search(made):
        prefix, made = "IDR ", _AFTER.sub("", made).rstrip()
    match = _PARTS.match(made)
    if not match or match["word"] is None:
        return prefix + made
    number, word = match["number"], match["word"].strip()
    folded = word.lower()
    for scale, english in SCALES.items():
        if folded in (scale, scale + "an", scale + " an"):
            return ("around " if folded != scale else "") + f"{prefix}{number} {english}"
        if folded.startswith(scale + " "):
            return f"{prefix}{number} {english} {word[len(scale) + 1 :]}"
    if folded in CLASSIFIERS:
        return prefix + number
    unit = UNITS.get(folded)
    if unit is None:
        head, _, rest = folded.partition(" ")
        if rest in ("persegi", "kubik"):
            return f"{prefix}{number} {'square' if rest == 'persegi' else 'cubic'} {plural(UNITS.get(head, head))}"
        return prefix + number + match["gap"] + word
    if number != "1" and unit not in INVARIABLE:
        unit = "degrees Celsius" if unit == "degree Celsius" else plural(unit)
    return f"{prefix}{number} {unit}"


def _swap_separators(match: re.Match[str]) -> str:
    """`25.000,50` → `25,000.50`; `1.500,-` → `1,500`."""
    whole, _, cents = match[0].partition(",")
    return whole.replace(".", ",") + (f".{cents}" if cents and cents != "-" else "")
