"""Runs blocks on workers. Results do not depend on the workers, their number or their order."""

import contextlib
import importlib
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from sweeps.plan import Block, Plan
from sweeps.spec import Sums

BACKENDS = ("threads", "serial", "loky", "dask")
CONNECT = 10  # seconds to wait for a scheduler
RESTARTS = 3  # of the workers, when some were killed

Result = tuple[Block, Sums | str]  # sums, or the traceback of a block that failed


def execute(
    plan: Plan, todo: Iterable[Block], *, jobs: int, backend: str, keep: Callable[[Block, Sums], None]
) -> dict[Block, str]:
    """Run blocks, hand each result to ``keep`` as it comes; return the failures' tracebacks."""
    failed: dict[Block, str] = {}
    rest = dict.fromkeys(todo)
    for restart in range(RESTARTS + 1):
        try:
            for block, result in _results(plan, list(rest), jobs, backend):
                del rest[block]
                if isinstance(result, str):
                    failed[block] = result
                else:
                    keep(block, result)
            break
        except _worker_deaths() as error:
            if restart == RESTARTS:
                failed |= dict.fromkeys(rest, f"{type(error).__name__}: workers were killed {RESTARTS + 1} times")
    return failed


def _results(plan: Plan, todo: list[Block], jobs: int, backend: str) -> Iterator[Result]:
    """Blocks in any order. The first runs before there are workers: it compiles the kernels, which release the GIL."""
    yield from (run_block(plan, block) for block in todo[:1])
    if backend == "serial" or jobs == 1:
        yield from (run_block(plan, block) for block in todo[1:])
        return
    from joblib import Parallel, delayed

    with _context(backend, jobs), warnings.catch_warnings():
        # leaving early (time limit, Ctrl-C) cancels tasks: that is what was asked for
        warnings.filterwarnings("ignore", message=".*tasks", category=UserWarning, module="joblib")
        # unless told otherwise threads: the kernels release the GIL; joblib.parallel_config overrides a mere hint
        hint: dict[str, Any] = {"prefer": "threads"} if backend == "threads" else {}
        pool = Parallel(jobs, return_as="generator_unordered", **hint)
        yield from pool(delayed(run_block)(plan, block) for block in todo[1:])


@contextlib.contextmanager
def _context(backend: str, jobs: int) -> Iterator[None]:
    from joblib import parallel_config

    if backend == "threads":
        yield
    elif backend == "loky":
        with parallel_config("loky", inner_max_num_threads=1):
            yield
    else:
        try:
            distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise ValueError("backend dask must be installed first: pip install 'claimsweep[dask]'") from None
        with _client(distributed, backend.partition(":")[2], jobs), parallel_config("dask"):
            yield


@contextlib.contextmanager
def _client(distributed: Any, address: str, jobs: int) -> Iterator[None]:
    """A client of the scheduler at ``address``, or of a local cluster that ends with it."""
    if not address:
        local = distributed.LocalCluster(n_workers=jobs, threads_per_worker=1, dashboard_address=":0")
        with local as cluster, distributed.Client(cluster):
            yield
        return
    try:
        client = distributed.Client(address, timeout=CONNECT)
    except (OSError, ValueError, TimeoutError) as error:
        raise ValueError(f"backend must name a scheduler that answers; {address}: {error}") from None
    with client:
        yield


def _worker_deaths() -> tuple[type[BaseException], ...]:
    from joblib.externals.loky.process_executor import BrokenProcessPool

    return (BrokenProcessPool,)


def run_block(plan: Plan, block: Block) -> Result:
    """One block, on a worker; an exception becomes its traceback, so that the other blocks go on."""
    try:
        number = plan.layouts[block[0]].replicates_of(block[1])
        return block, plan.simulator.run_block(plan.values, block[0], number, plan.block_seed(block))
    except (Exception, SystemExit):  # a user's file may raise anything
        return block, traceback.format_exc()
