"""Many queries from a file: read by columns, rewritten by several processes, written in order, continued after a kill.

`job.py` says what is asked, `streams.py` and `rows.py` read, `sessions.py` and `chunks.py` give each row its turns and cut the rows into
pieces of work, `work.py` and `pool.py` rewrite them, `formats.py`, `output.py` and `tally.py` write and count; `run.py` is the whole on
one screen.  `arrow.py` is the same work on Arrow record batches, for engines that have files and processes of their own.
"""
