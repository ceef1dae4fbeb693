"""Which page a URL means: a key for folding duplicates, never an address to fetch.

Search engines give one page under many URLs: with and without `www.`, as mobile or AMP copy, with the tags of a
campaign.  The WHATWG parser (`can_ada`) reads the URL as a browser would; the rules here say which differences mean
nothing.  To fold two pages loses one of them, which is worse than to list a page twice: so whatever may select
content stays (path case, language hosts, unknown parameters, the order of repeated ones).

Every rule leaves its own output alone, and no rule's output is another's input: `page_identity` is idempotent.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from operator import itemgetter
from typing import Any

from rewriter.data import read_lines
from rewriter.record import record

__all__ = ["Tracking", "load_tracking", "page_identity"]

HOST_PREFIXES = frozenset({"amp", "m", "mobile", "www"})
"""First labels that name a rendering, not a site."""
PREFIX_STARTS = tuple(sorted(f"{label}." for label in HOST_PREFIXES))

SECOND_LEVELS = frozenset({
    "ac", "biz", "co", "com", "desa", "edu", "go", "gob", "gouv", "gov", "mil", "my", "ne", "net", "nom", "or", "org", "ponpes", "sch",
    "web",
})  # fmt: skip
"""Labels under which country domains register names: `m.co.id` is somebody's own name, not the mobile copy of `co.id`."""

WIKIMEDIA = frozenset({
    "wikibooks", "wikidata", "wikimedia", "wikinews", "wikipedia", "wikiquote", "wikisource", "wikiversity", "wikivoyage", "wiktionary",
})  # fmt: skip
"""Sites whose mobile host has `m` in the middle: `id.m.wikipedia.org`."""

INDEX_FILES = frozenset({"", "Default.aspx", "default.aspx", "index.htm", "index.html", "index.php"})
"""Last segments that a server gives for the folder itself; the empty one is a trailing slash."""

NAME_SPACES = frozenset({
    "c", "category", "define", "definition", "dictionary", "entri", "kamus", "kategori", "package", "packages", "project", "projects", "r",
    "search", "tag", "tags", "topic", "topics", "u", "user", "users", "wiki",
})  # fmt: skip
"""Folders of names: `/tag/amp` is about amplifiers, not the AMP copy of `/tag`."""

NAME_HOSTS = frozenset({"bitbucket.org", "github.com", "gitlab.com"})
"""Sites on which any segment is a name that a user chose."""

TAILS = ("/", "/amp", ".amp.html", ".amp.htm", *sorted(f"/{name}" for name in INDEX_FILES if name))
"""Ends of a path that `strip_tail` may take off; all others skip it."""

AMP_FLAGS = {"amp": ("", "1", "true"), "outputtype": ("amp",)}
"""Parameters that ask for the AMP copy.  `amp=30` may be a current and stays."""

LONGEST_NAME = 128
"""The answer for a longer name of a parameter or host is not kept: a name may be a megabyte."""

AMP_COPY = re.compile(
    r"""(?:
            (?:google\.(?:com|[a-z]{2}|com?\.[a-z]{2})|bing\.com)/amp   # 1. Google, with its country domains, and Bing
            | [a-z0-9-]+\.cdn\.ampproject\.org/(?:c|v|wp)               # 2. the AMP project's cache: content, viewer, web package
        )
        /(?:s/)?                                                        # 3. s: the page itself is https
        (?P<host>[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)                     # 4. no port and no user: the caches have none
        (?P<path>/.*)?
    """,
    re.VERBOSE | re.DOTALL,
)
"""Host and path under which a cache serves another site's AMP copy."""
AMP_COPY_STARTS = ("/amp/", "/c/", "/v/", "/wp/")

ESCAPES = re.compile(
    r"""  (?:%[89A-Fa-f][0-9A-Fa-f])+   # 1. beyond ASCII, all in a row: UTF-8, or not
        | %[0-7][0-9A-Fa-f]           # 2. one ASCII character
    """,
    re.VERBOSE,
)
UNCLEAN = re.compile(r"[^A-Za-z0-9._~!$&'()*+,;=:@/?-]")
"""What RFC 3986 does not allow bare in a path or query, `%` among it.  (Without `+` the search is twice as fast.)"""
UNCLEAN_RUN = re.compile(UNCLEAN.pattern + "+")

UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
ESCAPED = 0xDC00
"""An escaped byte, while decoded, is the lone surrogate at this offset, as in Python's `surrogateescape`: the parser lets no
surrogate through, so none is in the text, and normalisation never joins one with its neighbour."""
FROM_ESCAPED = {ESCAPED + byte: byte for byte in range(128)}


def page_identity(url: str) -> str:
    """The page that `url` means, as a key: two URLs with one key are one page.

    Folded: scheme, `www.` and mobile hosts, AMP copies, default ports, dot segments, needless percent-encoding, Unicode forms,
    trailing slashes, index files, fragments that are no route, known tracking parameters, the order of parameters.
    Kept: path case, language hosts, other ports, user names, unknown parameters, repeated parameters in their order.
    A string that is no web address is its own identity, stripped.  No text makes it raise.

    >>> page_identity("http://www.Example.com:80/a/./index.html?utm_source=x&id=7#top")
    'https://example.com/a?id=7'
    >>> page_identity("https://www.google.com/amp/s/m.example.com/story/amp/")
    'https://example.com/story'
    >>> page_identity(" not a url ")
    'not a url'
    """
    text = url.strip() if isinstance(url, str) else _refuse_url(url)
    try:
        parsed = _load_parser()(text)
    except (ValueError, TypeError):  # TypeError: can_ada's answer to a lone surrogate
        return text
    if parsed.protocol not in ("https:", "http:"):
        return text
    host = parsed.hostname
    host = (fold_host if len(host) <= LONGEST_NAME else fold_host.__wrapped__)(host)
    path = parsed.pathname
    if UNCLEAN.search(path):
        path = clean_text(path)
    if "/." in path:
        path = resolve_dots(path)
    port = parsed.port if text.find(":", 6) >= 0 else ""  # what has no sign in the text need not be asked of the parser
    site = host + fold_port(port) if port else host
    if "@" in text and (parsed.username or parsed.password):
        site = f"{parsed.username}:{parsed.password}@{site}"
    if path.startswith(AMP_COPY_STARTS):  # before the tail goes: the end of the path is the inner page's
        inner = unwrap_copy(host, path)
        if inner:
            host, path = inner
            site = host
    if path.endswith(TAILS):
        path = strip_tail(path, host)
    query = parsed.search if "?" in text else ""
    fragment = parsed.hash if "#" in text else ""
    return f"https://{site}{path}{fold_query(query) if query else ''}{fold_fragment(fragment) if fragment else ''}"


@cache
def _load_parser() -> Callable[[str], Any]:
    """The parser, loaded at first use: a caller that merges nothing need not have it."""
    import can_ada

    return can_ada.parse


def _refuse_url(url: object) -> str:
    raise TypeError(f"page_identity() reads a URL as a str, not {type(url).__name__}.")


@lru_cache(maxsize=4_096)
def fold_host(host: str) -> str:
    """The host without the labels that only name a rendering, and without the dot of the root.

    The parser has lowered it and written it in punycode.  Prefixes go while one is at the front.  One stays when nothing but a
    top-level domain would be left (`m.me`, `www.com`), and all but `www` before a country's second level (`m.co.id`).
    Language hosts stay.
    Few hosts stand in most results, so the answers are kept (and of one name never more than `LONGEST_NAME` characters).
    Of several dots at the end none goes: the parser reads `0x7f.1..` as a name and `0x7f.1` as an address.

    >>> fold_host("www.m.example.com."), fold_host("id.m.wikipedia.org"), fold_host("m.me"), fold_host("mobile.co.id")
    ('example.com', 'id.wikipedia.org', 'm.me', 'mobile.co.id')
    """
    if host[-1:] == "." and host[-2:] not in ("..", "."):
        host = host[:-1]
    if host.startswith("www.") and host.find(".", 4) > 4 and not host.startswith(PREFIX_STARTS, 4):
        host = host[4:]  # what the next lines would do, sooner, for the commonest hosts
    elif host.startswith(PREFIX_STARTS):
        labels = host.split(".")
        first = 0
        while _is_prefix(labels, first):
            first += 1
        host = ".".join(labels[first:])
    if ".m.wiki" in host:
        labels = host.split(".")
        while len(labels) > 3 and labels[-3] == "m" and labels[-2] in WIKIMEDIA and labels[-1] == "org":
            del labels[-3]
        host = ".".join(labels)
    return host


def _is_prefix(labels: list[str], first: int) -> bool:
    left = len(labels) - first - 1
    if labels[first] not in HOST_PREFIXES or left < 2 or not labels[first + 1]:
        return False
    return left > 2 or labels[first] == "www" or labels[-2] not in SECOND_LEVELS or len(labels[-1]) != 2


def fold_port(port: int | str) -> str:
    """`:8080`, or nothing for 80 and 443, whichever the scheme: with the scheme folded, either may be the default.

    >>> fold_port(443), fold_port(8080)
    ('', ':8080')
    """
    return "" if int(port) in (80, 443) else f":{port}"


def resolve_dots(path: str) -> str:
    """The path without `.` and `..` segments (RFC 3986, 5.2.4).

    The parser does it, but for a path such as `/s/.a/./b`: can_ada 3.0 overlooks what follows a segment that begins with a dot.

    >>> resolve_dots("/s/.a/./b/../c"), resolve_dots("/../a/.."), resolve_dots("/.../a//./b")
    ('/s/.a/c', '/', '/.../a//b')
    """
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        if segment == "..":
            del kept[-1:]
        elif segment != ".":
            kept.append(segment)
    if path.endswith(("/.", "/..")):
        kept.append("")
    return "/" + "/".join(kept)


def unwrap_copy(host: str, path: str) -> tuple[str, str] | None:
    """Host and path of the page that an AMP cache serves a copy of; None where these name no copy.

    A copy of a copy stays as it is: nobody links so, and peeling layers could take time without bound.

    >>> unwrap_copy("google.co.id", "/amp/s/www.example.com/story")
    ('example.com', '/story')
    >>> unwrap_copy("google.com", "/amp/about"), unwrap_copy("example.com", "/amp/s/example.org/a")
    (None, None)
    """
    found = AMP_COPY.fullmatch(host + path)
    if not found:
        return None
    try:
        inner = fold_host.__wrapped__(_load_parser()(f"https://{found['host']}/").hostname)
    except ValueError:
        return None
    rest = found["path"] or "/"
    return None if AMP_COPY.fullmatch(inner + rest) else (inner, rest)


def strip_tail(path: str, host: str = "") -> str:
    """The path without what ends it and means nothing: slashes, index files, and the marks of an AMP copy.

    `/amp` stays where it is all there is (`example.com/amp` may be about amplifiers), after a folder of names, and on hosts of names.
    Slashes inside the path stay.  Works on lists, so that a long tail takes linear time.

    >>> strip_tail("/a/index.html"), strip_tail("/a/amp/"), strip_tail("/a.amp.html"), strip_tail("/"), strip_tail("/wiki/amp")
    ('/a', '/a', '/a.html', '/', '/wiki/amp')
    """
    segments = path.split("/")
    while len(segments) > 1:
        last = segments[-1]
        if last in INDEX_FILES or (last == "amp" and _marks_amp(segments, host)):
            segments.pop()
        elif last.endswith((".amp.html", ".amp.htm")):
            segments[-1] = _strip_mark(last)
        else:
            break
    return "/".join(segments) or "/"


def _marks_amp(segments: list[str], host: str) -> bool:
    before = segments[-2]
    return len(segments) > 2 and before != "" and before not in NAME_SPACES and host not in NAME_HOSTS


def _strip_mark(name: str) -> str:
    stem, dot, extension = name.rpartition(".")
    end = len(stem)
    while stem.endswith(".amp", 0, end):
        end -= len(".amp")
    return stem[:end] + dot + extension


def fold_query(query: str) -> str:
    """`query` (with its `?`) without known tracking parameters, sorted by name; repeated names keep their order.

    `+` is a space, as in forms.  An empty query, or one of trackers only, is none.  Unknown parameters stay, and so do `a` and `a=`.

    >>> fold_query("?t=2&utm_source=x&id=7&t=1"), fold_query("?"), fold_query("?q=kopi+susu")
    ('?id=7&t=2&t=1', '', '?q=kopi%20susu')
    """
    kept = []
    clean = "+" not in query and not UNCLEAN.search(query)
    for part in query[1:].split("&"):
        name, equals, value = part.partition("=")
        if not clean:  # name and value apart: an `=` between them must not join a combining mark
            name, value = clean_text(name.replace("+", "%20")), clean_text(value.replace("+", "%20"))
        dropped = (dropped_values if len(name) <= LONGEST_NAME else dropped_values.__wrapped__)(name)
        if part and dropped is not None and value not in dropped:
            kept.append((name, equals + value))
    if len(kept) > 1:
        kept.sort(key=itemgetter(0))
    return "?" + "&".join([name + value for name, value in kept]) if kept else ""


@lru_cache(maxsize=4_096)
def dropped_values(name: str) -> tuple[str, ...] | None:
    """The values with which a parameter means nothing: none, those that ask for the AMP copy, or (None) whatever they are: a tracker's.

    A few names stand in most URLs, so the answers are kept.

    >>> dropped_values("id"), dropped_values("AMP"), dropped_values("utm_source")
    ((), ('', '1', 'true'), None)
    """
    tracking, lower = load_tracking(), name.lower()
    return None if lower in tracking.names or lower.startswith(tracking.prefixes) else AMP_FLAGS.get(lower, ())


def fold_fragment(fragment: str) -> str:
    """`fragment` (with its `#`) where it is a route of a one-page application (`#!` or `#/`), nothing where it is a place in the page.

    The root route is the page itself; a text directive (`:~:text=`) is a place.

    >>> fold_fragment("#!/kopi"), fold_fragment("#top"), fold_fragment("#/")
    ('#!/kopi', '', '')
    """
    if not fragment.startswith(("#!", "#/")):
        return ""
    route = clean_text(fragment[1:]).partition(":~:")[0]
    return "" if route in ("!", "/", "!/") else "#" + route


def clean_text(text: str) -> str:
    """One spelling of percent-encoded text: unreserved characters bare, all others that need it in capitals, Unicode in NFC.

    Reserved characters stay as they are, bare or escaped: `%2F` is not `/`.  A `%` that escapes nothing becomes `%25`, lest
    what follows it, once decoded, look like an escape.  Bytes that are no UTF-8 stay.  Nothing is decoded twice.

    >>> clean_text("/%7euser/cafe%CC%81/a%2fb"), clean_text("/100%"), clean_text("/%%34%31")
    ('/~user/caf%C3%A9/a%2Fb', '/100%25', '/%2541')
    """
    if not UNCLEAN.search(text):
        return text
    decoded = ESCAPES.sub(_decode_escapes, text)
    if not decoded.isascii():
        decoded = unicodedata.normalize("NFC", decoded)
    return UNCLEAN_RUN.sub(_encode_escapes, decoded)


def _decode_escapes(found: re.Match[str]) -> str:
    run = bytes.fromhex(found[0].replace("%", ""))
    if run[0] >= 128:
        return run.decode("utf-8", "surrogateescape")
    char = chr(run[0])
    return char if UNRESERVED.match(char) else chr(ESCAPED + run[0])


def _encode_escapes(found: re.Match[str]) -> str:
    text = found[0]
    try:
        run = text.encode("utf-8")
    except UnicodeEncodeError:  # it holds escaped bytes
        run = text.translate(FROM_ESCAPED).encode("utf-8", "surrogateescape")
    return "%" + run.hex("%").upper()


@record
class Tracking:
    """Parameters that only say where a visitor came from: whole names, and how names begin; lower case."""

    names: frozenset[str]
    prefixes: tuple[str, ...]


@cache
def load_tracking() -> Tracking:
    """The shipped list, read at first use: a name a line, `*` at the end for any ending, `#` begins a comment.

    >>> "fbclid" in load_tracking().names, "utm_" in load_tracking().prefixes, "ref" in load_tracking().names
    (True, True, False)
    """
    lines = [line.lower() for line in read_lines("tracking_parameters.txt")]
    return Tracking(
        names=frozenset(line for line in lines if not line.endswith("*")),
        prefixes=tuple(sorted(line[:-1] for line in lines if line.endswith("*"))),
    )
