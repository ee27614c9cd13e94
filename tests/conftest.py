"""What holds for all tests."""

from __future__ import annotations

import signal

if (
    signal.getsignal(signal.SIGINT) == signal.SIG_IGN
):  # as under nohup: tests of Ctrl-C, and their children, are to hear it all the same
    signal.signal(signal.SIGINT, signal.default_int_handler)
