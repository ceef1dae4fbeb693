"""What a caller may decide: every threshold, with its origin and its risk."""

from __future__ import annotations

from rewriter.record import record

__all__ = ["ROLES", "Policy"]

_LEAST = {"max_variants": 1, "long_query_variants": 1, "max_options": 2}
ROLES = ("user", "assistant", "system", "developer", "tool")


@record
class Policy:
    """Options of a rewrite; all of them are part of the signature.

    Scores are integers in hundredths of a nat.  A cue that nobody weighed is worth `cue_weight`; the other
    numbers are fractions and multiples of it, so that "one clear cue" is the unit in which margins are read.
    """

    max_variants: int = 5
    """Searches at most.  Lower saves searches and loses patterns from the end of the list."""
    long_query_words: int = 8
    """From so many words on a query is specific.  The brief's number; lower cuts recall of short queries."""
    long_query_variants: int = 3
    """Variants at most for a specific query.  The brief's number."""
    max_query_chars: int = 2_000
    """A longer query is searched as it is.  The longest logged query seen was 1,100 characters; no engine reads more."""
    ask: bool = True
    """False: never a question, but the variants still cover each meaning (unattended runs)."""
    ask_margin: int = 25
    """The better sense must lead by so much: one cue in any of the turns (25 at the oldest) decides.  Lower guesses more, higher asks
    more: on sentences with a sense 25 decides 81 and 88 % rightly (10 and 30 examples a sense), 60 only 77 and 86 %."""
    dominant_prior: int = 300
    """Without any evidence a sense is taken only when its prior leads by so much: practically everybody means it."""
    ask_max_content_words: int = 1
    """Ask only when at most so many content words stand beside the ambiguous form: more of them make a query
    specific enough that the engine needs no question.  Higher asks needlessly, lower guesses."""
    near_depth: int = 2
    """Senses that share so many levels of the domain tree are near: the better is covered, nobody is asked."""
    max_options: int = 4
    """Options of a question at most; a person reads no more at a glance."""
    cue_weight: int = 100
    """Weight of a cue that has none of its own: e to 1, the least log-odds that a curator would call a cue."""
    query_cue_percent: int = 300
    """A cue in the query itself against one in the last turn: what is typed now says most."""
    recency_percent: tuple[int, ...] = (100, 90, 80, 70, 62, 55, 48, 42, 37, 32, 28, 25)
    """Worth of a cue by the age of its turn, newest first; older turns take the last number."""
    domain_weight: int = 10
    """For each domain word in the conversation, at each level shared with the sense: a tenth of a cue."""
    domain_cap: int = 150
    """At most so much from the domain: it may decide a tie, it may not outvote two cues."""
    association_weight: int = 10
    """For each thousandth by which the words around a form are like the words of a sense.  On conversations of our own a lead of 3
    thousandths was right in 98 of 100; 8 to 12 serve alike."""
    association_cap: int = 300
    """At most so much from association: as much as a cue in the query."""
    prior_percent: int = 10
    """Worth of a prior beside evidence: what is said outweighs what people usually mean, a clear cue even the likeliest meaning."""
    max_turns: int = 400
    """Turns read, newest first; older ones are not seen."""
    read_roles: tuple[str, ...] = ("user", "assistant")
    """Roles whose turns are read.  `system`, `developer` and `tool` text is data about other things."""

    def __post_init__(self) -> None:
        for name in type(self).__annotations__:
            value = getattr(self, name)
            if name in ("recency_percent", "read_roles"):
                if not isinstance(value, tuple) or not value:
                    raise TypeError(f"Policy.{name} must be a tuple with at least one value, not {value!r}.")
            elif name == "ask":
                if not isinstance(value, bool):
                    raise TypeError(f"Policy.ask must be True or False, not {value!r}.")
            elif not isinstance(value, int) or isinstance(value, bool):
                raise TypeError(f"Policy.{name} must be an int, not {value!r}.")
            elif value < _LEAST.get(name, 0):
                raise ValueError(f"Policy.{name} is {value}; it must be {_LEAST.get(name, 0)} or more.")
        unknown = [r for r in self.read_roles if r not in ROLES]
        if unknown:
            raise ValueError(f"Policy.read_roles names {unknown[0]!r}; known roles are {', '.join(sorted(ROLES))}.")
        if not all(isinstance(p, int) and not isinstance(p, bool) and p >= 0 for p in self.recency_percent):
            raise TypeError(f"Policy.recency_percent must hold whole numbers of 0 or more, not {self.recency_percent!r}.")

    def describe(self) -> str:
        """What differs from the defaults, in a fixed order: this policy's part of the signature.

        >>> Policy().describe(), Policy(ask=False, max_variants=3).describe()
        ('default', 'max_variants=3,ask=False')
        """
        changed = [n for n in type(self).__annotations__ if getattr(self, n) != getattr(_DEFAULT, n)]
        return ",".join([f"{n}={getattr(self, n)!r}".replace(" ", "") for n in changed]) or "default"


_DEFAULT = Policy()
