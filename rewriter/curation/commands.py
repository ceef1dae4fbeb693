"""The commands of curators, added to `rewriter lexicon` when somebody asks for more than a rewrite (`rewriter.cli.full_app`)."""

from __future__ import annotations

import typer

from rewriter.curation import cli_add, cli_check, cli_compare, cli_edit, cli_exchange, cli_find, cli_mine

__all__ = ["register"]

_DONE: set[int] = set()


def register(app: typer.Typer) -> None:
    """Add the commands, once."""
    if id(app) in _DONE:
        return
    _DONE.add(id(app))
    for name, command in (
        ("lint", cli_check.lint_lexicons),
        ("show", cli_find.show_form),
        ("search", cli_find.search_lexicons),
        ("domains", cli_find.list_domains),
        ("add", cli_add.add_to_lexicon),
        ("edit", cli_edit.edit_in_lexicon),
        ("retire", cli_edit.retire_from_lexicon),
        ("import", cli_exchange.import_file),
        ("export", cli_exchange.export_lexicons),
        ("mine", cli_mine.mine_queries),
        ("suggest", cli_mine.suggest_for_form),
        ("test", cli_check.test_lexicons),
        ("stats", cli_check.show_stats),
        ("diff", cli_compare.diff_versions),
        ("preview", cli_compare.preview_change),
    ):
        app.command(name)(command)
