"""Hypothesis profiles, and what the tests share.

`HYPOTHESIS_PROFILE=ci` runs the same examples everywhere; `dev` (the default) draws some more, and new ones each time.
"""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import HealthCheck, settings

import rewriter

os.environ["HAYSTACK_TELEMETRY_ENABLED"] = "False"  # the library would report its use to its makers when it is imported

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts what it runs in the background so, and children inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)

# Resources are loaded once and a health check would count that load against the first example.
_QUIET = (HealthCheck.too_slow, HealthCheck.function_scoped_fixture)

settings.register_profile("dev", max_examples=40, deadline=None, suppress_health_check=_QUIET)
settings.register_profile("ci", max_examples=30, deadline=None, derandomize=True, suppress_health_check=_QUIET, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "dev"))


@pytest.fixture(scope="session")
def resources() -> rewriter.Resources:
    """The shipped lexicons; a checkout compiles its pack here, once."""
    return rewriter.default_resources()
