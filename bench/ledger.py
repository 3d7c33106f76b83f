"""The ledger over growing files: seconds and records a second."""

import time

from cases import paper_classes


def records(n):
    claims = [{"verdict": verdict} for verdict in ("verified", "toy", "inconclusive", "falsified", "toy")]
    entry = {"judged_at": "2026-08-02T00:00:00Z", "claims": claims}
    return {f"team{i % 700}/space{i}": {**entry, "orid": f"paper{i % 2176}"} for i in range(n)}


def main():
    print("  records   seconds   records/s")
    for n in (1_000, 10_000, 100_000, 400_000):
        entries = records(n)
        started = time.perf_counter()
        paper_classes(entries)
        seconds = time.perf_counter() - started
        print(f"{n:>9} {seconds:>9.3f} {n / seconds:>11.0f}")


if __name__ == "__main__":
    main()
