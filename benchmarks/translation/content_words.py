"""Which words of a query carry content, and which of them are English: the benchmark's own rules, so that no change of the package moves
its measure."""

from __future__ import annotations

import re
from collections.abc import Iterator

__all__ = ["ENGLISH_LEAD", "FUNCTION_WORDS", "content_words", "frequent_words", "is_english"]

ENGLISH_LEAD = 0.3
"""A word that English uses as often as Indonesian, or at most 0.3 Zipf less, is English or a name: `data`, `online`.
`laptop` (0.4 less) and `jakarta` (2.2 less) are looked up."""

FUNCTION_WORDS = frozenset(
    """
    ada adakah adalah agar aja akan aku anda antara antar apa apaan apabila apakah apalagi atas atau bagaimana bagaimanakah bagi bahwa
    banget begitu begini belum berapa berapakah bila bisa boleh bukan bukankah buat cuma dalam dan dapat dari daripada dengan deh dekat
    demi di dia dong dulu gak ga gimana gue gua gw hanya harus hingga ia ialah ingin ini itu iya jadi jangan jika juga justru kah kalau
    kalo kami kamu kan kapan kapankah karena kayak ke kenapa kepada ketika kita kok ku lagi lah lalu lebih loh lu lo maka makin mana
    manakah masih mau maupun melalui mengapa mengapakah menjadi menurut merupakan mereka mu namun ngga nggak nih nya nyah oleh pada padahal
    paling para per perlu pernah pun punya saat saja saling sama sambil sampai sangat saya se sebagai sebelum sebuah sedang sedangkan
    sehingga sejak selain selalu selama seorang seperti serta sesudah setelah setiap si siapa siapakah sih suatu sudah supaya tanpa tapi
    telah tentang terhadap tersebut tetapi tetap tiap tidak tak toh tuh untuk utk walau walaupun wah ya yaitu yakni yang yg yuk
    dgn dg dlm krn kpd tdk sdh blm jgn dr pd sm bgt gmn knp udah udh emang
    a about above after all also am an and any are as at be because been before being below between both but by can could did do does
    doing down during each few for from further had has have having he her here hers him his how i if in into is it its itself just me
    more most my no nor not of off on once only or other our out over own same she should so some such than that the their them then
    there these they this those through to too under until up very was we were what when where which while who whom whose why will with
    would you your
    """.split()
)
"""Function and question words of both languages, with their usual short spellings."""

_MASK = re.compile(r"xxx[a-z]+xxx")
"""What stands for a number or a name that was taken out of chat data: nobody typed it."""
_WORD = re.compile(r"[^\W_]+(?:[-'’.][^\W_]+)*")


def content_words(query: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and lower-case form of the words with a letter that are no function words and no masks of anonymised data.

    >>> [word for _, _, word in content_words("apa itu anak-anak 5G di jakarta 2024 XXXUSERXXX?")]
    ['anak-anak', '5g', 'jakarta']
    """
    for match in _WORD.finditer(query):
        word = match[0].lower()
        if word not in FUNCTION_WORDS and any([c.isalpha() for c in word]) and not _MASK.fullmatch(word):
            yield match.start(), match.end(), word


def is_english(word: str) -> bool:
    """Does English use the word about as often as Indonesian?  A word that neither list has is not known to be English."""
    from wordfreq import zipf_frequency

    in_english = zipf_frequency(word, "en")
    return bool(in_english >= zipf_frequency(word, "id") - ENGLISH_LEAD and in_english > 0)


def frequent_words(count: int) -> list[str]:
    """The most frequent Indonesian content words of wordfreq, without those that are English or names by the rule above."""
    from wordfreq import top_n_list

    words: list[str] = []
    for word in top_n_list("id", 10**6):
        if len(words) == count:
            break
        if len(word) > 2 and word.replace("-", "").isalpha() and word not in FUNCTION_WORDS and not is_english(word):
            words.append(word)
    return words
