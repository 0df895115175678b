"""Shared by the benchmarks: interleaved samples, medians, ratios. Nothing here asserts a time."""

import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))


def interleave(jobs: dict[str, Callable[[], object]], rounds: int) -> dict[str, list[float]]:
    """Run all jobs in turn, `rounds` times, and return their seconds."""
    times: dict[str, list[float]] = {name: [] for name in jobs}
    for _ in range(rounds):
        for name, job in jobs.items():
            start = time.perf_counter()
            job()
            times[name].append(time.perf_counter() - start)
    return times


def table(title: str, times: dict[str, list[float]], floor: str, goals: dict[str, float]) -> None:
    """Print medians, spread and the ratio to the floor."""
    base = statistics.median(times[floor])
    print(f"\n{title}")
    print(f"  {'what':44} {'median':>10} {'p10..p90':>19} {'ratio':>7}  goal")
    for name, found in times.items():
        ordered = sorted(found)
        low, high = ordered[len(ordered) // 10], ordered[-1 - len(ordered) // 10]
        goal = f"<= {goals[name]}" if name in goals else ""
        spread = f"{_time(low)}..{_time(high)}"
        middle = statistics.median(found)
        print(f"  {name:44} {_time(middle):>10} {spread:>19} {middle / base:7.2f}  {goal}")


def _time(seconds: float) -> str:
    return f"{seconds * 1e3:.1f} ms" if seconds > 1e-3 else f"{seconds * 1e6:.1f} us"


def run(*command: str, env: dict[str, str] | None = None) -> None:
    subprocess.run(command, check=True, capture_output=True, env=env)
