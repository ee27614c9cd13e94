"""Own time counts what a task runs and sleeps, and leaves out its scheduling delay."""

from __future__ import annotations

from threading import Event, Thread, get_native_id
from time import sleep, thread_time

from plyscope.owntime import MAX_DELAY_FACTOR, OwnTime, Scheduling


class Told(OwnTime):
    """A stopwatch that is told what the kernel says."""

    def __init__(self, longest: float = 1.0) -> None:
        self.look = Scheduling(0.0, 0.0, 0.0, False)
        super().__init__("none", longest)

    def _look(self) -> Scheduling:
        return self.look

    def passes(
        self, seconds: float, ran: float = 0.0, delayed: float = 0.0, is_runnable: bool = False
    ) -> float:
        now, before, late, _ = self.look
        self.look = Scheduling(now + seconds, before + ran, late + delayed, is_runnable)
        return round(self.seconds(), 6)


def test_counts_running_and_sleeping_and_not_scheduling_delay() -> None:
    watch = Told()
    assert watch.passes(0.1, ran=0.1, is_runnable=True) == 0.1
    assert watch.passes(0.1) == 0.2  # it sleeps
    late = watch.passes(1.0, ran=0.1, delayed=0.9, is_runnable=True)
    assert late == round(0.2 + 0.1 + 0.9 / MAX_DELAY_FACTOR, 6)


def test_counts_a_long_delay_alike_before_and_after_it_ends() -> None:
    watch = Told()
    watch.passes(0.1, ran=0.1, is_runnable=True)
    for tick in range(1, 6):
        assert watch.passes(0.2, is_runnable=True) == round(0.1 + 0.2 * tick / MAX_DELAY_FACTOR, 6)
    # the kernel adds the delay once it has ended
    after = watch.passes(0.1, ran=0.1, delayed=1.0, is_runnable=True)
    assert after == round(0.2 + 1.0 / MAX_DELAY_FACTOR, 6)


def test_counts_at_most_the_longest_step_between_two_readings() -> None:
    watch = Told(longest=0.2)
    assert watch.passes(60) == 0.2  # whoever looks was stopped
    assert watch.passes(0.1) == 0.3


def test_counts_the_sleep_of_a_thread() -> None:
    watch = OwnTime.of_this_thread()
    sleep(0.05)
    assert watch.seconds() >= 0.05 * 0.9


def test_leaves_out_the_time_of_a_server_that_a_task_waits_for() -> None:
    asked, served = Event(), Event()

    def wait() -> None:
        watch = OwnTime.of_this_thread()
        waiting = OwnTime(f"self/task/{get_native_id()}", servers=[f"self/task/{server}"])
        asked.set()
        served.wait()
        times.extend((watch.seconds(), waiting.seconds()))

    server, times = get_native_id(), list[float]()
    client = Thread(target=wait)
    client.start()
    asked.wait()
    until = thread_time() + 0.3
    while thread_time() < until:
        pass
    served.set()
    client.join()
    waited, of_its_own = times
    assert waited >= 0.25
    assert waited - of_its_own >= 0.25
