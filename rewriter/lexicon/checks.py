"""The lint of lexicons: one small function a code, whose docstring is the message, and one table of them.

Codes are stable.  Categories: E finds what cannot be right, W what is likely a mistake; the hundreds are the groups of `CHECKS`.
"""

from __future__ import annotations

from collections.abc import Sequence

from rewriter.lexicon import checks_fields as fields
from rewriter.lexicon import checks_forms as forms
from rewriter.lexicon import checks_meaning as meaning
from rewriter.lexicon import checks_pairs as pairs
from rewriter.lexicon import checks_senses as senses
from rewriter.lexicon import checks_templates as templates
from rewriter.lexicon.collection import Check, Collection, Finding

__all__ = ["CHECKS", "Finding", "check_collection"]

CHECKS: tuple[tuple[str, Check], ...] = (
    # 100: unreadable, missing, impossible
    ("E101", fields.cannot_be_read),
    ("E102", fields.sense_id_repeats),
    ("E103", fields.id_is_misspelt),
    ("E104", fields.field_is_unknown),
    ("E105", fields.domain_is_unknown),
    ("E106", fields.gloss_is_missing),
    ("E107", fields.source_is_missing),
    ("E108", fields.canonical_is_missing),
    ("E109", fields.expert_is_missing),
    ("E110", fields.status_is_missing),
    ("E111", fields.status_is_unknown),
    ("E112", fields.pos_is_unknown),
    ("E113", fields.direction_is_unknown),
    ("E114", fields.prior_is_out_of_range),
    ("E115", fields.near_points_nowhere),
    ("E116", fields.date_is_unreadable),
    ("E117", fields.since_is_after_until),
    ("E118", meaning.licence_is_missing),
    ("E119", meaning.example_is_unreadable),
    ("E120", meaning.status_has_no_reviewer),
    # 200: forms and characters
    ("W201", forms.form_is_empty),
    ("W202", forms.form_is_not_normal),
    ("W203", forms.form_is_repeated),
    ("W204", forms.character_is_invisible),
    ("W205", forms.character_is_confusable),
    ("W206", forms.space_at_the_edge),
    ("W207", forms.common_word_is_unguarded),
    ("W208", pairs.shard_is_unsorted),
    ("W209", forms.item_has_a_comma),
    # 300: senses beside their siblings
    ("W301", senses.senses_stand_apart),
    ("W302", senses.meaning_is_repeated),
    ("W303", senses.cues_are_few),
    ("W304", senses.cues_are_the_same),
    ("W305", senses.cue_speaks_for_all),
    ("W306", senses.cue_is_the_form),
    ("W307", senses.cue_is_a_function_word),
    ("W308", senses.canonical_adds_nothing),
    # 400: Indonesian and English
    ("W401", pairs.translation_has_a_rival),
    ("W402", pairs.translation_is_repeated),
    ("W403", pairs.default_has_a_rival),
    ("W404", pairs.default_is_missing),
    ("W405", pairs.translation_is_indonesian),
    ("W406", pairs.neighbour_has_spaces),
    ("W407", pairs.neighbour_is_claimed_twice),
    # 500: slang and jargon
    ("W501", pairs.slang_is_english),
    ("W502", pairs.slang_leads_to_slang),
    ("W503", pairs.slang_changes_nothing),
    ("W504", pairs.slang_has_a_rival),
    ("W505", pairs.expert_term_is_lay),
    ("W506", pairs.jargon_form_is_common),
    ("W507", pairs.jargon_form_has_a_rival),
    # 600: templates
    ("W601", templates.question_has_no_slot),
    ("W602", templates.slot_is_unknown),
    ("W603", templates.slot_stays_empty),
    ("W604", templates.rule_never_fits),
    ("W605", templates.intent_is_unknown),
    # 700: what entries mean together
    ("W701", meaning.meaning_is_nearly_repeated),
    ("W702", meaning.canonical_is_a_sibling_form),
    ("W703", meaning.names_go_in_a_circle),
    ("W704", meaning.english_is_indonesian),
    ("W705", meaning.indonesian_is_english),
    ("W706", meaning.entry_is_unreachable),
)


def check_collection(collection: Collection, select: Sequence[str] = ()) -> list[Finding]:
    """What the selected checks find, by file, line, column and code.  Pure."""
    found = []
    for code, check in CHECKS:
        if not select or code.startswith(tuple(select)):
            severity = "error" if code.startswith("E") else "warning"
            message = " ".join((check.__doc__ or "").split())
            found += [Finding(code, severity, p.file, p.line, p.column, f"{p.what.rstrip('.')}: {message}") for p in check(collection)]
    return sorted(found, key=lambda f: (f.file, f.line, f.column, f.code, f.message))
