"""English: facts about the language, under the same names as in `id`, and the few inflections that variants need."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = [
    "ATTRIBUTES", "COMMANDS", "FUNCTION", "GENERIC", "GREETINGS", "NEGATIONS", "PARTICLES", "PERSONS", "PRONOUNS", "QUESTION", "VERBS",
    "agent", "article", "gerund", "head_of", "number_of", "past_participle",
    "plural", "singular", "superlative",
]  # fmt: skip

QUESTION = frozenset(
    """
    what who whom whose which when where why how what's who's where's when's how's whats whos hows wheres
    """.split()
)
AUXILIARIES = frozenset(
    """is are was were am do does did can could should would will shall may might must has have had isn't aren't don't doesn't
    didn't can't won't shouldn't couldn't wouldn't""".split()
)
"""Words that open a yes-no question."""

NEGATIONS = frozenset(
    """
    n't not no without never none except nor non don't doesn't didn't isn't aren't can't cannot won't free minus excluding
    """.split()
)

PARTICLES = frozenset("please pls just really actually basically hey hi hello ok okay well so like um lol thanks".split())

FUNCTION = (
    frozenset(
        """
    a an the of in on at to for from by with about into over after before between under again than then and or but if because as
    until while is are was were be been being am do does did done have has had having can could should would will shall may
    might must i me my mine we us our you your yours he him his she her hers it its they them their theirs this that these those
    there here who whom whose which what when where why how all any each few more most other some such only own same too very
    also per via versus vs let's get got
    """.split()
    )
    | PARTICLES
)

PRONOUNS = frozenset(
    """
    it its it's they them their theirs he him his she her hers this that these those one ones there itself himself herself
    themselves
    """.split()
)

ATTRIBUTES = frozenset(
    """
    price prices cost costs specs specifications features pros cons advantages disadvantages address location schedule hours
    requirements steps effects side benefits dosage dose symptoms causes cause treatment treatments cure recipe ingredients
    color colour size weight height age salary score result results release date synopsis cast director author lyrics meaning
    examples example alternatives review reviews warranty discount stock capacity speed battery camera screen population
    president capital founder owner headquarters phone number website app link tutorial difference duration length start end
    origin history risk risks danger contents version accuracy performance maintenance prevention recommendation brands types
    kinds wife husband children plot sequel ending rating awards net worth biography education career nationality
    """.split()
)

GENERIC = frozenset(
    """
    type types kind kinds class classes category categories difference differences similarity similarities finding findings argument
    arguments factor factors purpose role contribution relationship importance problem problems solution solutions use uses
    part parts form forms method methods step reason reasons impact influence function functions feature level levels number
    amount rate sign signs stage stages source sources characteristic characteristics aspect aspects issue issues topic
    people person someone anyone place places possible available common popular effective healthy different important
    """.split()
)
"""Nouns and adjectives that say something of a thing and name none: a question of these alone leans on what was said."""

PERSONS = frozenset(
    """
    doctor dentist nurse boss manager teacher professor lawyer mechanic wife husband mom mum dad mother father son daughter sister
    brother friend girlfriend boyfriend partner roommate neighbor neighbour landlord coworker colleague kid kids baby
    """.split()
)
"""Who is talked with or cared for: `it` never means them."""

GREETINGS = frozenset(
    """
    hi hello hey thanks thank you ok okay good morning afternoon evening night bye goodbye great cool nice yes no yeah yep nope
    sorry welcome sure lol haha perfect awesome got it much so very
    """.split()
)
COMMANDS = frozenset(
    """
    continue repeat summarize summarise translate explain elaborate rewrite shorten simplify regenerate again
    """.split()
)

VERBS = frozenset(
    """
    add affect allow answer apply ask avoid bake become begin believe break bring build buy call cancel cause change check
    choose clean close come compare configure connect convert cook cost create cut deal delete deploy describe develop die
    differ disable discover do does draw drink drive eat enable end enter exist expect explain fail fall feel find finish fix
    follow forget get give go grow happen hear help hide hold hurt identify improve include increase install invest invite join
    keep kill know last learn leave let like live look lose love lower made make mean measure meet merge move need occur open
    order own parse pay play prevent produce protect put reach read recommend recover reduce register remain remember remove
    renew repair replace reset return run say says said see seem sell send serve set show sing sit sleep sort speak spend split
    spread stand start started stay stop store suffer suggest suggests take taken talk teach tell think train transfer travel
    treat try turn understand uninstall unlock update upgrade use used using visit wait walk want wash watch wear win work works
    worked working write came went got gave told found led improves makes takes gets helps causes reduces affects compares sold
    ended
    """.split()
)
"""Common verbs: no part of the name of a thing that is talked about."""

_IRREGULAR_PLURALS = {
    "child": "children", "man": "men", "woman": "women", "person": "people", "tooth": "teeth", "foot": "feet", "mouse": "mice",
    "goose": "geese", "knife": "knives", "wife": "wives", "life": "lives", "leaf": "leaves", "half": "halves", "wolf": "wolves",
    "shelf": "shelves", "loaf": "loaves", "calf": "calves", "thief": "thieves", "criterion": "criteria", "phenomenon": "phenomena",
    "analysis": "analyses", "crisis": "crises", "thesis": "theses", "fungus": "fungi", "sheep": "sheep", "fish": "fish", "deer": "deer",
    "series": "series", "species": "species", "aircraft": "aircraft", "ox": "oxen", "potato": "potatoes", "tomato": "tomatoes",
    "hero": "heroes", "echo": "echoes", "volcano": "volcanoes", "mango": "mangoes",
}  # fmt: skip
_SINGULARS = {v: k for k, v in _IRREGULAR_PLURALS.items()}
_IRREGULAR_VERBS = {
    "be": "been", "become": "become", "begin": "begun", "break": "broken", "bring": "brought", "build": "built", "buy": "bought",
    "catch": "caught", "choose": "chosen", "come": "come", "cut": "cut", "do": "done", "draw": "drawn", "drink": "drunk", "drive": "driven",
    "eat": "eaten", "fall": "fallen", "feel": "felt", "find": "found", "forget": "forgotten", "freeze": "frozen", "get": "got",
    "give": "given", "go": "gone", "grow": "grown", "hear": "heard", "hide": "hidden", "hit": "hit", "hold": "held", "hurt": "hurt",
    "keep": "kept", "know": "known", "lead": "led", "learn": "learned", "leave": "left", "lend": "lent", "lose": "lost", "make": "made",
    "mean": "meant", "meet": "met", "pay": "paid", "put": "put", "read": "read", "ride": "ridden", "rise": "risen", "run": "run",
    "say": "said", "see": "seen", "sell": "sold", "send": "sent", "set": "set", "shoot": "shot", "show": "shown", "shut": "shut",
    "sing": "sung", "sit": "sat", "sleep": "slept", "speak": "spoken", "spend": "spent", "split": "split", "stand": "stood",
    "steal": "stolen",
    "stick": "stuck", "swim": "swum", "take": "taken", "teach": "taught", "tell": "told", "think": "thought", "throw": "thrown",
    "understand": "understood", "wake": "woken", "wear": "worn", "win": "won", "write": "written",
}  # fmt: skip
_VOWELS = "aeiou"


def plural(phrase: str) -> str:
    """The plural of the last word of a noun phrase.

    >>> plural("used car"), plural("city"), plural("child"), plural("bus"), plural("news")
    ('used cars', 'cities', 'children', 'buses', 'news')
    """
    head, _, word = phrase.rpartition(" ")
    lower = word.lower()
    if lower in _IRREGULAR_PLURALS:
        made = _IRREGULAR_PLURALS[lower]
    elif lower in _SINGULARS or (lower.endswith("s") and not lower.endswith(("ss", "us", "is"))) or not lower[-1:].isalpha():
        made = word
    elif lower.endswith(("s", "x", "z", "ch", "sh")):
        made = word + "es"
    elif lower.endswith("y") and lower[-2:-1] not in _VOWELS:
        made = word[:-1] + "ies"
    else:
        made = word + "s"
    return f"{head} {made}" if head else made


def singular(word: str) -> str:
    """The singular of a regular or listed plural; other words as they are.

    >>> singular("cities"), singular("children"), singular("buses"), singular("class")
    ('city', 'child', 'bus', 'class')
    """
    if word in _SINGULARS:
        return _SINGULARS[word]
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ses", "xes", "zes", "ches", "shes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3:
        return word[:-1]
    return word


_BREAKS = frozenset(
    """
    in on at of for to from with by under over near about around without after before during between that which who when where while
    against per than used vs and or as worth not
    """.split()
)
"""What ends the head of a noun phrase: prepositions and the like."""
_NO_PLURAL = frozenset(
    """
    news physics mathematics economics politics athletics diabetes measles rabies herpes shingles mumps always perhaps gas bus lens
    canvas christmas series species texas las vegas dallas kansas arkansas james thomas charles paris united states us ios gps dns
    sms rss css aws
    """.split()
)
"""Words that end in s and are one."""
_SILENT = ("hour", "honest", "honour", "honor", "heir")
_CONSONANT = ("uni", "use", "usa", "usu", "uti", "eu", "one", "uk", "ur", "ub")
_LETTERS = frozenset("aefhilmnorsx")
"""Letters whose names begin with a vowel: an MRI, a CT scan."""


def head_of(words: Sequence[str]) -> str:
    """The head of a folded noun phrase: the last word before the first preposition; "" for none.

    >>> head_of("most scenic spots in london".split()), head_of("used car".split())
    ('spots', 'car')
    """
    head = ""
    for word in words:
        if word in _BREAKS and head:
            break
        if word[:1].isalpha():
            head = word
    return head


def number_of(words: Sequence[str]) -> str:
    """`plural` or `singular`, by the head of a folded noun phrase.

    >>> number_of("running shoes for flat feet".split()), number_of("average price of shoes".split()), number_of(["children"])
    ('plural', 'singular', 'plural')
    """
    head = head_of(words)
    if head in _SINGULARS:
        return "plural"
    many = head.endswith("s") and not head.endswith(("ss", "us", "is", "'s", "itis")) and head not in _NO_PLURAL and len(head) > 3
    return "plural" if many else "singular"


def article(words: Sequence[str]) -> str:
    """`a` or `an` before a folded noun phrase, by its first sound.

    >>> article(["hour"]), article(["university"]), article(["engineer"]), article(["mri", "scan"]), article(["cma"])
    ('an', 'a', 'an', 'an', 'a')
    """
    first = words[0] if words else ""
    if (first.isalpha() and not any([c in "aeiouy" for c in first])) or first in ("mri", "iq", "hr", "fbi"):
        return "an" if first[:1] in _LETTERS else "a"
    if first.startswith(_SILENT):
        return "an"
    return "an" if (first[:1] in _VOWELS and not first.startswith(_CONSONANT)) or first[:1] == "8" else "a"


def _doubles(word: str) -> bool:
    """Does the last consonant double before -ed and -ing?  One-syllable words in consonant, vowel, consonant."""
    return (
        len(word) >= 3
        and word[-1] not in "aeiouwxy"
        and word[-2] in _VOWELS
        and word[-3] not in _VOWELS
        and sum(c in _VOWELS for c in word) == 1
    )


def past_participle(phrase: str) -> str:
    """Of the first word of a verb phrase: `cut`, `bought`, `turned off`.

    >>> past_participle("make"), past_participle("turn off"), past_participle("ban"), past_participle("try")
    ('made', 'turned off', 'banned', 'tried')
    """
    word, _, rest = phrase.partition(" ")
    if word in _IRREGULAR_VERBS:
        made = _IRREGULAR_VERBS[word]
    elif word.endswith("e"):
        made = word + "d"
    elif word.endswith("y") and word[-2:-1] not in _VOWELS:
        made = word[:-1] + "ied"
    else:
        made = word + (word[-1] if _doubles(word) else "") + "ed"
    return f"{made} {rest}" if rest else made


def gerund(phrase: str) -> str:
    """Of the first word of a verb phrase.

    >>> gerund("make"), gerund("turn off"), gerund("run"), gerund("see")
    ('making', 'turning off', 'running', 'seeing')
    """
    word, _, rest = phrase.partition(" ")
    if word.endswith("ie"):
        made = word[:-2] + "ying"
    elif word.endswith("e") and not word.endswith(("ee", "oe", "ye")) and len(word) > 2:
        made = word[:-1] + "ing"
    else:
        made = word + (word[-1] if _doubles(word) else "") + "ing"
    return f"{made} {rest}" if rest else made


def agent(verb: str) -> str:
    """Who does it: `buyer`, `user`, `runner`.

    >>> agent("buy"), agent("use"), agent("run"), agent("try")
    ('buyer', 'user', 'runner', 'trier')
    """
    if verb.endswith("e"):
        return verb + "r"
    if verb.endswith("y") and verb[-2:-1] not in _VOWELS:
        return verb[:-1] + "ier"
    return verb + (verb[-1] if _doubles(verb) else "") + "er"


def superlative(adjective: str) -> str:
    """Of an adjective: `cheapest`, `most expensive`; `most` before all but short words.

    >>> superlative("cheap"), superlative("big"), superlative("easy"), superlative("expensive"), superlative("good")
    ('cheapest', 'biggest', 'easiest', 'most expensive', 'best')
    """
    irregular = {"good": "best", "bad": "worst", "far": "farthest", "many": "most", "little": "least", "much": "most"}
    if adjective in irregular:
        return irregular[adjective]
    syllables = sum(c in "aeiouy" and (i == 0 or adjective[i - 1] not in "aeiouy") for i, c in enumerate(adjective.rstrip("e")))
    if " " in adjective or syllables > 2 or (syllables == 2 and not adjective.endswith(("y", "le", "ow", "er"))):
        return f"most {adjective}"
    if adjective.endswith("e"):
        return adjective + "st"
    if adjective.endswith("y") and adjective[-2:-1] not in _VOWELS:
        return adjective[:-1] + "iest"
    return adjective + (adjective[-1] if _doubles(adjective) else "") + "est"
