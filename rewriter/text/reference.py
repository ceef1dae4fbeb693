"""Facts about reference in both languages: words that point back, nouns that want something to belong to, and what never points."""

from __future__ import annotations

from rewriter.text import en

__all__ = [
    "ADJECTIVES", "AMBIGUOUS_VERBS", "BEFORE_VERB", "BETWEEN", "COMPOUND_HEADS", "CORRECTIONS", "DEFINING", "DUMMY_ADJECTIVES",
    "IDENTITY", "KINDS", "LIFE", "MODIFIERS", "PEOPLE", "PLACING", "PLURAL_PRONOUNS", "POSSESSIVES", "RELATED_NOUNS", "RELATING",
    "SEEING", "TALK", "TIMES", "UNIQUE", "VERB_FORMS", "is_plural", "is_superlative",
]  # fmt: skip

PEOPLE = frozenset("beliau dia he her hers him his ia she".split())
"""Pronouns of one person."""
PLURAL_PRONOUNS = frozenset("mereka their theirs them these they those".split())
POSSESSIVES = frozenset("her hers his its their theirs".split())

TIMES = frozenset(
    """
    abad afternoon akhir awal besok bulan day days dekade detik evening hari hour jaman kali kemarin lusa malam minggu
    minute moment month months morning musim nanti night pagi saat season sekarang siang sore summer tahun time times today
    tomorrow tonight waktu week weekend weeks winter year years yesterday zaman
    """.split()
)
"""With a demonstrative these tell a time (`hari ini`, `this year`) and point to nothing."""

UNIQUE = frozenset(
    """
    area army bathroom beginning best body case country day earth economy end environment evening fact first future garden
    government house idea internet kitchen last law least market media middle moment month moon more morning most news next
    night ocean other others past place planet point police presidency president public reason region rest same sky state
    sun time top truth universe way weather web week whole world worst year
    """.split()
)
"""`the world`, `the government`: definite without ever having been named; `the first`, `the end`: no things."""

DEFINING = frozenset("define definition meaning explain describe".split())

SEEING = frozenset(
    """
    baca belajar beli buying cari cariin coba considering doing exploring feeling finding getting giving going having
    keeping lagi learning looking main making mau nanem nonton nyari pengen planning playing putting reading rereading
    rewatching starting studying taking trying using visiting watching
    """.split()
)
"""What the user does with a thing is no part of its name (`rewatching parasite`)."""

TALK = frozenset(
    """
    ah alright amazing anjir answer appreciate awesome complication complications consequence consequences cool crazy
    curious deadliness definition else extreme funny gila glad good great helpful hm hmm implication implications info
    information insane interesting iya keren makasih mantap mechanism mechanisms nice no oalah oh ok okay oke ooh origins
    others rid right roots sip sorry sounds suggestion suggestions sure thank thanks useful variant variants varieties
    variety version versions wah wow ya yeah yes
    """.split()
)
"""Reactions: no part of what is talked about."""

ADJECTIVES = frozenset(
    """
    accurate another available average bad better big bigger bright cheap cheaper cold common complex contagious cooler
    current dangerous dark deadly deeper different difficult distinct early easier easy effective efficient ethical
    expensive famous fast faster following free fresh full further general good hard harder harsher healthier healthy heavy
    hereditary high higher hot ill illegal important influential instrumental key large larger late legal light lighter long
    longer low lower main major massive minor modern native natural new newer nicer normal old older original other poor
    poorer popular possible powerful previous quicker rare real recent related reliable rich richer safe safer serious
    severe short shorter similar simple slow slower small smaller smarter special specific strong stronger taller thinner
    total traditional true typical unique useful warmer weak weaker wider worse worth young younger
    """.split()
)
"""Adjectives that say something of a thing and name none."""

BETWEEN = frozenset(
    """
    about among at behind between during for from in of on over that to under which who whose with within
    """.split()
)
"""What follows a definite noun that says itself which one is meant (`the capital of France`)."""

PLACING = frozenset(
    """
    at dalam bagi buat dari dengan di for from in ke near on over pada pakai pake tanpa to under untuk with without during after before
    """.split()
)

CORRECTIONS = frozenset("mean meant maksudku maksudnya maksud".split())
"""`No, I mean cardio`: the earlier question with another element."""


IDENTITY = frozenset(
    """
    alat aplikasi app apps bagus best good judul medicine nama name obat recommend recommendation recommendations rekomen
    rekomendasi rekomendasiin saran saranin siapa situs software suggest terbaik title tool tools website which who whom
    """.split()
)
"""A question with one of these asks for a name: what the answer names is then what the talk is about."""

LIFE = frozenset(
    """
    agama age born gaji husband istri lahir lulusan married pacar religion suami umur umurnya usia usianya wife
    """.split()
)
"""What is asked of persons."""

KINDS: tuple[frozenset[str], ...] = (
    frozenset("""
    adults anak babies baby balita bayi busui cewek children cowok dewasa hamil ibu kids laki lansia men perempuan pria
    remaja seniors teenagers wanita women
    """.split()),
    frozenset("murah mahal cheap expensive budget premium".split()),
    frozenset("besok kemarin sekarang lusa today tomorrow yesterday tonight now".split()),
    frozenset("""
    friday jumat kamis minggu monday rabu sabtu saturday selasa senin sunday thursday tuesday wednesday
    """.split()),
    frozenset("""
    agustus april august december desember februari february januari january juli july june juni march maret may mei
    november october oktober september
    """.split()),
    frozenset("pagi siang sore malam morning afternoon evening night".split()),
    frozenset("breakfast lunch dinner sarapan".split()),
    frozenset("""
    biru black blue brown coklat green hijau hitam kuning merah pink purple putih red ungu white yellow
    """.split()),
    frozenset("windows linux mac macos ubuntu android ios iphone".split()),
    frozenset("small medium large kecil sedang besar".split()),
    frozenset("baru bekas new used second".split()),
    frozenset("manual matic automatic".split()),
    frozenset("motor mobil kereta pesawat bus kapal bis car train plane ship bike".split()),
)  # fmt: skip
"""Words of which one takes the place of another: `kalau buat anak?` after a question about `dewasa`."""

MODIFIERS = frozenset(
    """
    build energy environmental fuel health long operational picture privacy safety short side sound storage tax term
    """.split()
)
"""Before a noun that asks for something else (`health benefits`) these are no thing."""

COMPOUND_HEADS = frozenset("problem problems issue issues method methods condition conditions disorder disorders".split())
"""Behind another noun these are part of the name (`digestive issues`), alone they name nothing."""

RELATED_NOUNS = frozenset("founder leader member members part remake sequel".split())
"""Nouns of something: `not a member` of what, `the sequel` to what."""

RELATING = frozenset(
    """
    contribution dampak difference differences effect effects hubungan impact importance influence part pengaruh peran
    perbedaan place relation relationship role roles significance similarities similarity source sources sumber
    """.split()
)
"""`the role of X`, `good sources of X`: X is spoken of for the sake of what the talk is about."""

DUMMY_ADJECTIVES = frozenset(
    """
    bad best better cheap cheaper common cruel dangerous difficult easier easy enough ethical fine good hard harder healthy
    helpful illegal important impossible legal likely necessary normal ok okay possible recommended rude safe smart time
    true useful wise worth
    """.split()
)
"""`is it safe to …`: nothing is meant by `it`."""

_MORE_VERBS = """
    accept achieve act adapt address adopt affect aid aim alleviate analyze apologize appear approach approve argue arise
    arrange arrive assist assume attach attack attempt attend attract awake bear beat beg behave belong bind bite blame blow
    boil borrow brush burn calculate capture care carry catch celebrate challenge chase cheat chew choose claim clean climb
    collapse collect combine commit communicate compare compete complain complete compose concentrate concern conduct
    confirm confuse connect consider consist constitute construct consume contain continue contribute control convince cope
    cough count cover crash cross cry damage dance decide decline decrease defend define deliver demand deny depend derive
    deserve destroy detain detect determine diagnose differ disagree disappear discourage discover discuss dislike
    distinguish divide donate download drive earn eat educate eliminate embarrass emerge emigrate employ encounter encourage
    end engage enjoy ensure escape establish estimate evaluate evolve examine exclude exist expand explode exploit export
    express extend face feed fight fill fit fly force form freeze fund gain gather generate govern greet grill guide handle
    hang happen hate hesitate hike hire hug hunt hurry ignore imagine implement imply import impress improve inform inherit
    insist inspire install intend interact interfere interview introduce invent investigate invite involve judge jump kick
    kiss knock lack land laugh lay lead lend lie lift link list listen locate maintain manage manufacture marry melt
    memorize mention mentioned migrate miss mix modify motivate negotiate notice obey object observe obtain occupy offer
    operate oppose organize originate overcome own paint participate pass pay perceive perform permit persuade pick plan
    plant play predict prepare prescribe preserve pretend prevent print proceed promise pronounce propose protect prove
    provide publish pull punish purchase push qualify quit rain raise reach react realize rebel rebuild receive reconsider
    recycle reflect refund refuse regain regulate rehearse reject relate relax release rely remind renovate repeat replace
    represent request require rescue resemble reserve resign resist respect respond restore result retire retrieve return
    reveal reverse review revise reward ride ring rise rob roll rule sail satisfy save scare scream search secure see seek
    select separate settle shake share shoot shout shut sign sink ski smell smoke sneeze solve sound spill spin spoil spray
    squeeze stand stare steam stick stir stretch strike struggle study submit subscribe succeed suggests suit support
    suppose surf surprise surround survive swallow swear sweat sweep swim switch target taste teach tease tend test thank
    threaten throw tie tolerate touch track trade transform translate transport trap trigger trust undergo unite urge vanish
    vary view violate vote warn whisper wipe withdraw wonder worry write yell
    """.split()
BEFORE_VERB = frozenset(
    """
    can can't cannot could didn't doesn't don't he i it might must not please she should they to we will won't would you
    """.split()
)
"""Behind these a word that is noun and verb is a verb (`do we pay`)."""
AMBIGUOUS_VERBS = frozenset(
    """
    act aim approach attack attempt bear beat bite blame blow brush burn care catch challenge chase cheat claim climb
    collapse compose control cost cough count cover crash cross cry damage dance decline demand design drive end escape
    export face fight fit force form fund gain guide hike hug hunt import interview judge jump kick kiss knock lack land
    laugh lead lift link list mix object offer own paint pass pay pick plan plant play print promise rain raise rebel refund
    release request rescue reserve respect result return review reward ride ring roll rule sail scare scream search share
    shoot shout sign sink ski smell smoke sound spin spray stand stare steam stick stretch strike study support surf
    surprise swear sweat switch target taste test tie touch track trade transport trap trigger trust urge view vote whisper
    """.split()
)
"""Base forms that are nouns as well: only their other forms are taken for verbs."""


def _forms(verb: str) -> tuple[str, ...]:
    third = (
        verb + "es"
        if verb.endswith(("s", "sh", "ch", "x", "z", "o"))
        else verb[:-1] + "ies"
        if verb.endswith("y") and verb[-2:-1] not in "aeiou"
        else verb + "s"
    )
    return (en.past_participle(verb), *(() if verb in AMBIGUOUS_VERBS else (verb, third)))


_PASTS = """
    ate became began bit blew bore broke came caught chose did drank drove fell flew forgot fought found froze gave got grew
    had hid knew led ran rode rose sang saw shook spoke stole swam threw told took tore went woke wore wrote
    """.split()
VERB_FORMS = frozenset([*(form for verb in (*sorted(en.VERBS), *_MORE_VERBS) for form in _forms(verb)), *_PASTS]) - {
    "cost",
    "costs",
    "needs",
    "uses",
    "stores",
    "works",
    "causes",
    "own",
}
"""Common English verbs as they stand in a sentence; no part of the name of a thing."""

_NO_SUPERLATIVE = frozenset(
    """
    arrest chest contest digest forest guest harvest honest interest invest nest pest protest quest request rest suggest
    test vest west zest
    """.split()
)


def is_superlative(word: str) -> bool:
    """`largest`, `best`: something is compared that the query need not name.

    >>> is_superlative("largest"), is_superlative("forest")
    (True, False)
    """
    return len(word) > 3 and word.endswith("est") and word not in _NO_SUPERLATIVE


def is_plural(text: str) -> bool:
    """Is the last word of an English phrase a plural, or are two things joined?

    >>> is_plural("red blood cells"), is_plural("predator and prey"), is_plural("glass"), is_plural("Jack's")
    (True, True, False, False)
    """
    words = text.lower().split()
    last = words[-1] if words else ""
    if last in ("people", "children", "men", "women", "mice", "teeth"):
        return True
    return (
        (len(last) > 3 and last.endswith("s") and not last.endswith(("ss", "us", "is", "js", "os", "'s", "’s")))
        or "and" in words
        or "dan" in words
    )
