"""The earlier queries of a row's session, as its turns, in bounded memory."""

from __future__ import annotations

from collections import OrderedDict, deque

from rewriter.batch.rows import Row

__all__ = ["SESSION_TURNS", "Sessions"]

SESSION_TURNS = 50
"""Queries of a session that its next row gets, the newest ones: the weight of a cue is at its least from the twelfth turn on."""
SESSION_BYTES = 64_000_000
"""All that is remembered, by a rough count; then the sessions that were asked longest ago are forgotten, and begin anew."""
_TURN_COST, _SESSION_COST = 60, 900
"""About what Python needs for a string and for a queue beside the characters."""


class Sessions:
    """Gives each row the queries before it.  Rows of a session stand in the order in which they were asked, others may lie between."""

    def __init__(self, limit: int = SESSION_BYTES) -> None:
        self.forgotten = 0
        self._limit, self._held = limit, 0
        self._queries: OrderedDict[tuple[str, ...], deque[str]] = OrderedDict()

    def place(self, row: Row) -> Row:
        """The row with its session's earlier queries before its own turns; its query is remembered for the next."""
        if row.session is None or row.fault:
            return row
        queries = self._queries.get(row.session)
        if queries is None:
            queries = self._queries[row.session] = deque()
            self._held += _SESSION_COST
        else:
            self._queries.move_to_end(row.session)
        placed = row._replace(context=(*queries, *row.context))
        queries.append(row.query)
        self._held += len(row.query) + _TURN_COST
        if len(queries) > SESSION_TURNS:
            self._held -= len(queries.popleft()) + _TURN_COST
        while self._held > self._limit and len(self._queries) > 1:
            _, old = self._queries.popitem(last=False)
            self._held -= _SESSION_COST + sum([len(query) + _TURN_COST for query in old])
            self.forgotten += 1
        return placed
