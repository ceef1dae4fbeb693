"""Spans that no variant may change, found before anything else looks at the query.

Two strengths.  *Verbatim* kinds stay byte for byte in every variant: quotes, operators, addresses, paths, code, error
messages, codes, hashes, versions, model numbers, citations.  *Letters* kinds keep their letters in any case, and the
english variant may write English equals of them: amounts with units and currency, dates, plain numbers.
"""

from __future__ import annotations

import re

from rewriter.record import record

__all__ = ["LETTERS", "VERBATIM", "Protected", "find_protected"]

VERBATIM = frozenset({"quote", "operator", "url", "email", "path", "code", "error", "hash", "version", "model", "citation"})
LETTERS = frozenset({"amount", "date", "number"})


@record
class Protected:
    """Half-open span in the cleaned text, and why it is protected."""

    start: int
    end: int
    kind: str


_MONTHS = (
    "januari|februari|maret|april|mei|juni|juli|agustus|september|oktober|november|desember|"
    "january|february|march|may|june|july|august|october|december|"
    "jan|feb|mar|apr|jun|jul|agu|agt|aug|sep|sept|okt|oct|nov|des|dec"
)
_UNITS = (
    "km/jam|km/h|kmh|kph|mph|km2|km²|m2|m²|m3|m³|cm2|cm²|cm3|km|cm|mm|nm|um|µm|meter|m|"
    "kg|gram|gr|g|mg|mcg|ons|kwintal|ton|lbs|lb|oz|ml|cc|liter|litre|ltr|lt|l|gal|"
    "°c|°f|derajat celcius|derajat celsius|derajat|celsius|celcius|fahrenheit|"
    "khz|mhz|ghz|thz|hz|kwh|kw|mw|gw|watt|w|kva|va|volt|v|mah|ah|ampere|amp|a|ohm|"
    "kbps|mbps|gbps|tbps|kb|mb|gb|tb|pb|kib|mib|gib|px|dpi|fps|mp|"
    "inch|inci|in|ft|feet|kaki|yard|mil|mile|miles|acre|hektar|hektare|ha|are|"
    "detik|menit|jam|hari|minggu|bulan|tahun|thn|bln|sec|secs|seconds|min|mins|minutes|hours|hour|hr|hrs|days|day|weeks|week|"
    "months|month|years|year|yr|yrs|"
    "hp|ps|pk|rpm|psi|bar|kkal|kcal|kalori|calories|cal|iu|ppm|bpm|db|k|jt|rb|juta|ribu|miliar|milyar|triliun|million|billion|"
    "orang|ekor|buah|lembar|pcs|persen|percent"
)
_SCALE = r"(?:\s?(?:juta(?:an)?|jt(?:an)?|ribu(?:an)?|rb(?:an)?|miliar|milyar|triliun|million|billion|thousand|mio|k|m|b|t)\b)"
_NUM = r"\d+(?:[.,]\d+)*"

# Each alternative is one kind; the first that matches at a place wins, so the order is the meaning.
_CASES: tuple[tuple[str, str], ...] = (
    # 0. Alternatives: what stands around OR, AND, | (a capital word in an all-capital query is no operator).
    ("operator", r"(?<!\S)(?:\"[^\"]*\"|[^\s\"]+)(?:\s(?:OR|AND|\|)\s(?:\"[^\"]*\"|[^\s\"]+))+"),
    # 1. Quoted phrases in any style; a quote that is never closed protects to the end.
    ("quote", r'"[^"]*(?:"|\Z)|“[^”]*(?:”|\Z)|„[^”“]*(?:[”“]|\Z)|«[^»]*(?:»|\Z)|‘[^’]*\s[^’]*’(?!\w)|(?<![\w])\'(?=\S)[^\']*\s[^\']*(?<=\S)\'(?!\w)'),
    # 2. Addresses: URLs, e-mail, bare hosts with a path.
    ("url", r"(?:https?|ftp|file|ssh|git|s3)://\S+|www\.\S+\.\S+|(?<![\w@.-])[\w-]+(?:\.[\w-]+)*\.(?:com|org|net|id|io|dev|gov|edu|co|ai|app|me|info|xyz|tv)(?:/\S*|\b(?![.@\w]))"),
    ("email", r"(?<![\w.+%-])[\w.+%-]{1,64}@[\w-]+(?:\.[\w-]+)+"),
    # 3. Search operators with their argument (quoted or not), exclusions, requirements, OR between words, wildcards.
    ("operator", r"(?<!\S)[-+]?(?i:site|filetype|ext|intitle|allintitle|inurl|allinurl|intext|allintext|inanchor|related|cache|link|info|define|before|after|source|lang|language|loc|location|near|from|to|author|tag|user|repo|label|in):(?!//)(?:\"[^\"]*\"?|\S+)"
     r"|(?<!\S)-(?:\"[^\"]*\"?|[^\W\d_][\w.\-/]*)(?!\S)|(?<!\S)\+(?:\"[^\"]*\"?|[^\W\d_][\w.\-/]*)(?!\S)"
     r"|(?<!\S)NOT(?!\S)|(?<!\S)AROUND\(\d+\)|(?<!\S)\*(?!\S)"),
    # 4. Error messages: a class name ending in Error, Exception or Warning with what follows the colon; traces; codes.
    ("error", r"Traceback \(most recent call last\):.*|\b[A-Za-z_][\w.$]*(?:Error|Exception|Warning|Fault)\b(?::\s.+)?"
     r"|(?<!\w)(?i:fatal error|fatal|panic|segmentation fault|error|failed|warning|undefined reference)\s?:\s.+"
     r"|(?<!\w)(?:ERR|E)_[A-Z0-9_]+|(?<!\w)0[xX][0-9a-fA-F]{2,}\b|(?<!\w)[A-Z]{2,}[-_][A-Z]*\d{2,}[\w-]*"),
    # 5. Citations of laws, standards and works: UU No 11 Tahun 2008, Pasal 378 KUHP, PMK 168/PMK.03/2022, ISO 27001, RFC 2616.
    ("citation", r"(?<!\w)(?i:uud|uu|pp|perpres|permen\w*|perda|perpu|perppu|kepmen\w*|keppres|pmk|pojk|putusan|se|skb|inpres)\s(?:(?:ri|ri\s)?(?i:no(?:mor)?\.?\s?)?)\d[\w./-]*(?:\s(?i:tahun|thn|th\.?)\s\d{4})?"
     r"|(?<!\w)(?i:pasal)\s\d+\w?(?:\s(?i:ayat)\s\(?\d+\)?)?(?:\s(?:KUHP|KUHAP|KUHPerdata|UUD(?:\s?1945)?|(?i:uu)\s[A-Z][\w]*|kuhp|kuhperdata|uud(?:\s?1945)?))?"
     r"|(?<!\w)(?i:qs\.?|surah|surat)\s[A-Za-z'-]+(?:\s?:\s?|\s(?i:ayat)\s)\d+(?:-\d+)?|(?<!\w)(?i:iso(?:/iec)?|rfc|sni|ieee|din|en iso|cve|psak|pmbok|doi|arxiv|isbn)[\s:-]?\d[\w.:/-]*"),
    # 6. Paths, code, commands and identifiers.
    ("path", r"(?<![\w/])(?:~|\.{1,2})?/[\w.@+-]+(?:/[\w.@+*-]*)+|(?<!\w)[A-Za-z]:\\\S+|(?<![\w/-])[\w-]+(?:/[\w.-]+)*\.(?:py|js|ts|jsx|tsx|java|kt|go|rs|rb|php|c|cpp|h|hpp|cs|sh|bat|ps1|sql|json|yaml|yml|toml|xml|html|css|md|csv|xlsx?|docx?|pptx?|pdf|zip|rar|exe|dll|apk|ini|conf|cfg|env|log|ipynb|parquet)\b"),
    ("code", r"`[^`]*`|(?<![\w$])[A-Za-z_$][\w$]*(?:(?:\.|::|->)[A-Za-z_$][\w$]*)*\([^()\s]*\)|(?<![\w$])[A-Za-z_$][\w$]*(?:(?:::|->)[A-Za-z_$~][\w$]*)+|(?<![\w$])[a-z$][\w$]*(?:\.[a-zA-Z_$][\w$]*){2,}|(?<!\w)[A-Za-z]+_[\w]+|(?<!\w)[a-z]+[a-z0-9]*[A-Z][A-Za-z0-9]*[A-Z]?[a-z0-9]*(?:\.[a-zA-Z_]\w*)+"
     r"|(?<!\S)--?[a-zA-Z][\w-]*=\S+|(?<!\S)--[a-zA-Z][\w-]*|\$\{?[A-Za-z_]\w*\}?|<[A-Za-z!/][^<>\s]*>|[{\[(][^\s{}()\[\]]*[=;:][^{}()\[\]]*[}\])]|(?<!\S)\S*[{}=;<>\\]{2,}\S*"),
    # 7. Hashes, UUIDs and product ids: long runs of hex, or capitals mixed with digits.
    ("hash", r"\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b|\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b|\b(?=\d*[A-Z]+\d)(?=[A-Z0-9]*\d)[A-Z0-9]{9,}\b"),
    # 8. Dates: ISO, d/m/y, "17 Agustus 1945", "April 2027".
    ("date", rf"\b\d{{4}}-\d{{2}}(?:-\d{{2}})?\b(?:T[\d:]+Z?)?|\b\d{{1,2}}[/.]\d{{1,2}}[/.]\d{{2,4}}\b|\b\d{{1,2}}\s(?i:{_MONTHS})\b(?:,?\s\d{{4}}\b)?|\b(?i:{_MONTHS})\s\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s\d{{4}})?\b|\b(?i:{_MONTHS})\s\d{{4}}\b|\b\d{{1,2}}[:.]\d{{2}}\s?(?i:wib|wita|wit|am|pm|utc|gmt)\b|\b\d{{1,2}}:\d{{2}}(?::\d{{2}})?\b"),
    # 9. Phone numbers and other runs of grouped digits.
    ("code", r"(?<!\w)\+\d{1,3}(?:[\s-]?\d{2,5}){2,5}\b|(?<!\w)0\d{2,3}-\d{3,4}-\d{3,5}\b"),
    # 10. Currency amounts as Indonesians and others write them: Rp 2 juta, Rp50.000,-, 100 usd, $20, 2jt, 100 ribuan.
    ("amount", rf"(?<!\w)(?i:rp|idr|usd|us\$|s\$|sgd|myr|rm|eur|gbp|jpy|aud|krw|cny|sar)\.?\s?{_NUM}(?:,-)?{_SCALE}?|[$€£¥₩]\s?{_NUM}{_SCALE}?|(?<![\w.,]){_NUM}(?i:{_SCALE})?\s?(?i:rupiah|rp|idr|dolar|dollars?|usd|sgd|myr|euros?|eur|gbp|yen|jpy|ringgit|won|yuan|riyal|aud)\b|(?<![\w.,]){_NUM}\s?(?i:juta(?:an)?|jt(?:an|\san)?|ribu(?:an)?|rb(?:an)?|miliar|milyar|triliun|million|billion|thousand)\b"),
    # 11. Percentages and multiples.
    ("amount", rf"(?<![\w.,]){_NUM}\s?(?:%|‰)|(?<![\w.,]){_NUM}\s?(?i:persen|percent)\b"),
    # 12. Versions: v1.2.3, 3.11.4, python 3.12 is two words of which the second is protected.
    ("version", r"(?<![\w.])[vV]\d+(?:\.\d+)*(?:[-.]?(?:alpha|beta|rc|dev|post)\.?\d*)?\b|(?<![\w.,])\d+(?:\.\d+){2,}(?:[-.]?(?:alpha|beta|rc|dev|post)\.?\d*)?(?![\w,])"),
    # 13. Measures: 1,5 liter, 5kg, 12 GB, 38,5 derajat, 30x40 cm.
    ("amount", rf"(?<![\w.,]){_NUM}(?:\s?[x×]\s?{_NUM})*(?:\s?-\s?{_NUM})?\s?(?i:{_UNITS})(?:\s(?i:persegi|kubik))?(?![\w²³])(?!-\w)"),
    # 14. Model numbers: letters and digits in one word (L3210, WH-1000XM5, ddr5-6000, 2x16gb, P0420, A52s, 4K); not `buku2`, a plural.
    ("model", r"(?<![\w-])(?=[\w/-]*\d)(?=[\w/-]*[A-Za-z])(?![a-z]{3,}2(?:nya)?\b)[A-Za-z0-9]+(?:[-/][A-Za-z0-9]+)*(?:\+(?!\w))?(?![\w-])"),
    # 15. Languages and products with a sign in the name: C++, C#, F#, .NET, Node.js, Notepad++.
    ("model", r"(?<!\w)[A-Za-z][A-Za-z0-9]*(?:\+\+|#)(?!\w)|(?<!\w)\.NET\b|\b[A-Za-z]+\.(?:js|io|ai|NET|net)\b"),
    # 16. Every other number, with its sign and separators.
    ("number", rf"(?<![\w.,])[-+]?{_NUM}(?:[/:]\d+)*(?![\w])"),
)
_TRIGGER = re.compile(r"[^a-z ']|[' ]'|'\Z|\A'", re.ASCII)
_LETTERS_ONLY = re.compile(r"[A-Za-z ]*[?!.]*\Z")
_CAPITAL_KINDS = re.compile(r"(?<!\S)(?:OR|AND|NOT)(?!\S)|(?:Error|Exception|Warning|Fault)\b")
"""In a text of letters alone only these can be protected: most queries that have a capital or a question mark end here."""
_BEGIN = r"(?:(?<!\w)|(?=\W)|(?=(?:https?|ftp|file|ssh|git|s3)://|www\.))"
"""Within a word no case begins but an address without lookbehind (2): most places of a text are passed over without asking all cases."""
_BOOLEAN = re.compile(r"(?<!\S)(?:OR|AND|NOT)(?!\S)")
_compiled: list[tuple[re.Pattern[str], tuple[str, ...]]] = []


def find_protected(text: str) -> list[Protected]:
    """Protected spans of a cleaned text, left to right, never overlapping.

    Plain lower-case words have none, and cost one search.

    >>> [(p.kind, 'laptop Rp 2 juta site:olx.co.id "core i5"'[p.start:p.end])
    ...  for p in find_protected('laptop Rp 2 juta site:olx.co.id "core i5"')]
    [('amount', 'Rp 2 juta'), ('operator', 'site:olx.co.id'), ('quote', '"core i5"')]
    """
    if not _TRIGGER.search(text) or (_LETTERS_ONLY.match(text) and not _CAPITAL_KINDS.search(text)):
        return []
    pattern, kinds = _pattern()
    shouting = text.isupper()
    found = []
    for match in pattern.finditer(text):
        start, end = match.span()
        kind = kinds[(match.lastindex or 1) - 1]
        if shouting and kind == "operator" and _BOOLEAN.search(match[0]):
            continue
        while end > start and kind in ("url", "path") and text[end - 1] in ",.;:!?)":
            end -= 1
        if end > start:
            found.append(Protected(start, end, kind))
    return found


def _pattern() -> tuple[re.Pattern[str], tuple[str, ...]]:
    """One alternation of all cases, compiled when the first query needs it."""
    if not _compiled:
        source = "|".join(f"({case})" for _, case in _CASES)
        _compiled.append((re.compile(f"{_BEGIN}(?:{source})"), tuple(kind for kind, _ in _CASES)))
    return _compiled[0]
