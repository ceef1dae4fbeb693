"""A preview as one HTML page to hand round: no script, nothing loaded from anywhere."""

from __future__ import annotations

from html import escape

from rewriter.curation.preview import Changed, Preview, Regression, name_of_key
from rewriter.lexicon.entries import Entry, Jargon, Sense, Slang, Translation
from rewriter.model import Plan

__all__ = ["to_page"]

MOST = 200
"""Queries shown under an entry; the count says how many more there are."""
_STYLE = """
:root { color-scheme: light dark; --line: #8884; --new: #2a7d4f; --old: #b0413e; }
body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
dl.sum { display: flex; flex-wrap: wrap; gap: .6rem 2rem; } dl.sum dt { opacity: .7; } dl.sum dd { margin: 0; font-size: 1.4rem; }
details { border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .9rem; margin: .6rem 0; }
summary { cursor: pointer; } summary b { margin-right: .6rem; }
table { border-collapse: collapse; width: 100%; margin: .5rem 0 1rem; table-layout: fixed; }
th, td { text-align: left; vertical-align: top; padding: .25rem .6rem .25rem 0; }
th, td { border-top: 1px solid var(--line); overflow-wrap: anywhere; }
th { font-weight: 600; opacity: .7; } .new { color: var(--new); } .old { color: var(--old); } .quiet { opacity: .65; }
ul { margin: .2rem 0; padding-left: 1.1rem; } .q { font-weight: 600; }
"""


def to_page(preview: Preview, title: str) -> str:
    """The page: numbers, cases that break, then entry by entry what changes."""
    newly = [c for c in preview.changed if c.asks == "newly"]
    gone = [c for c in preview.changed if c.asks == "no longer"]
    bad = [r for r in preview.regressions if not r.fixed]
    numbers = [
        ("entries changed", len(preview.entries)), ("queries", preview.queries), ("plans changed", len(preview.changed)),
        ("newly asked", len(newly)), ("no longer asked", len(gone)), ("cases", preview.cases), ("cases broken", len(bad)),
        ("cases fixed", len(preview.regressions) - len(bad)),
    ]  # fmt: skip
    parts = [f"<h1>{escape(title)}</h1>", '<dl class="sum">']
    parts += [f"<div><dt>{name}</dt><dd>{number}</dd></div>" for name, number in numbers]
    parts.append("</dl>")
    if preview.regressions:
        parts += ["<h2>Cases</h2>", *[_case(r) for r in preview.regressions]]
    parts.append("<h2>By entry</h2>")
    for key, group in preview.by_entry().items():
        parts.append(_entry(key, *preview.entries[key], group))
    parts += _asked("Newly asked", newly) + _asked("No longer asked", gone)
    body = "\n".join(parts)
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return f'<!doctype html>\n<html lang="en"><head>{head}<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'


def _entry(key: str, before: tuple[Entry, ...], after: tuple[Entry, ...], group: list[Changed]) -> str:
    what = "added" if not before else "removed" if not after else "changed"
    total = sum(c.count for c in group)
    lines = [
        f"<details{' open' if group else ''}><summary><b>{escape(name_of_key(key))}</b> {what} · "
        f"{len(group)} plans change ({total} times in the log)</summary>",
        _said("old", "before", before, after),
        _said("new", "after", after, before),
    ]
    if group:
        lines.append("<table><thead><tr><th>query</th><th>before</th><th>after</th></tr></thead><tbody>")
        lines += [_query(c) for c in group[:MOST]]
        lines.append("</tbody></table>")
    if len(group) > MOST:
        lines.append(f'<p class="quiet">and {len(group) - MOST} more queries</p>')
    return "".join(lines) + "</details>"


def _said(style: str, label: str, entries: tuple[Entry, ...], others: tuple[Entry, ...]) -> str:
    return "".join(f'<div class="{style}">{label}: {escape(_meaning(e))}</div>' for e in entries if e not in others)


def _meaning(entry: Entry) -> str:
    """What an entry says, in a line."""
    if isinstance(entry, Sense):
        return f"{', '.join(entry.forms)} → {entry.canonical_id} / {entry.canonical_en} ({entry.gloss_en}); cues {', '.join(entry.cues)}"
    if isinstance(entry, Jargon):
        return f"{', '.join(entry.forms)} → {', '.join((*entry.expert_id, *entry.expert_en))}"
    if isinstance(entry, Translation):
        return f"{entry.form} → {entry.english}{' when ' + ', '.join(entry.when) if entry.when else ''}"
    assert isinstance(entry, Slang)
    return f"{entry.form} → {entry.normal}"


def _query(change: Changed) -> str:
    turns = "".join(f'<div class="quiet">{escape(str(getattr(t, "content", t)))}</div>' for t in change.context)
    times = f' <span class="quiet">×{change.count}</span>' if change.count > 1 else ""
    return (
        f'<tr><td>{turns}<span class="q">{escape(change.query)}</span>{times}</td>'
        f"<td>{_plan(change.before, change.after, 'old')}</td><td>{_plan(change.after, change.before, 'new')}</td></tr>"
    )


def _plan(plan: Plan, other: Plan, style: str) -> str:
    """Variants as a list, those that the other plan lacks in colour."""
    known = {(v.pattern, v.text) for v in other.variants}
    lines = []
    for v in plan.variants:
        mark = "" if (v.pattern, v.text) in known else f' class="{style}"'
        lines.append(f'<li{mark}>{escape(v.text)} <span class="quiet">{v.pattern}</span></li>')
    asked = f"<div>asks: {escape(plan.clarification.question)}</div>" if plan.clarification else ""
    return f"<ul>{''.join(lines)}</ul>{asked}"


def _case(regression: Regression) -> str:
    word, style = ("fixed", "new") if regression.fixed else ("broken", "old")
    failures = "".join(f"<li>{escape(line)}</li>" for line in regression.failures)
    place = f'<span class="quiet">{escape(regression.where)}</span>'
    return f'<div><span class="{style}">{word}</span> {escape(regression.name)} {place}<ul>{failures}</ul></div>'


def _asked(title: str, changes: list[Changed]) -> list[str]:
    if not changes:
        return []
    return [f"<h2>{title}</h2><ul>", *[f"<li>{escape(c.query)}</li>" for c in changes], "</ul>"]
