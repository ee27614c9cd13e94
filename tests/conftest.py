"""What holds for all tests."""

from __future__ import annotations

import os
import signal

if (
    signal.getsignal(signal.SIGINT) == signal.SIG_IGN
):  # as under nohup: tests of Ctrl-C, and their children, are to hear it all the same
    signal.signal(signal.SIGINT, signal.default_int_handler)

os.environ.pop(
    "COLUMNS", None
)  # of the window that the tests were started in, or of xdist's making
