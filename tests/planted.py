"""Claims "kernel = reference" about copies of our kernels with an off-by-one: what a hunt must find."""

from pathlib import Path

import sweeps

SIMULATORS = Path(sweeps.__file__).parent / "simulators"
KERNELS, LAYERS, FLOATS = "paging/kernels.py", "paging/layers.py", "attention/kernels.py"
STRICTLY_AFTER = "_first_tight(s.most, s.add, s.end[r] + 1)\n            _evict(s, _least(s.low"
PLANTS = {  # name: kernel's file, what stands there, what is planted, policy or kernel asked
    "paging-lru": (KERNELS, "if i != older[k]:", "if i != older[older[k]]:", "lru"),
    "paging-fifo": (KERNELS, "if oldest + 1 < k else 0", "if oldest + 2 < k else 0", "fifo"),
    "paging-random": (KERNELS, "int(draws[k + t] * k)", "int(draws[k + t] * (k - 1))", "random"),
    "paging-marker": (KERNELS, "int(draws[k + t] * unmarked)", "int(draws[k + t] * (unmarked - 1))", "marker"),
    "paging-opt": (KERNELS, "far[i] = arrival[k + t]", "far[i] = arrival[k + t - 1]", "opt"),
    "paging-l0": (KERNELS, "r = k + t - 1", "r = k + t - 2 if k + t > 1 else 0", "lru"),
    "paging-onlinemin": (LAYERS, STRICTLY_AFTER.replace(" + 1", ""), STRICTLY_AFTER, "onlinemin"),
    "paging-rpb-om": (LAYERS, "if unrevealed <= earns[y]:", "if unrevealed <= earns[y] + 1:", "rpb-om"),
    "attention-walk": (FLOATS, "for j in range(1, n):", "for j in range(1, n - 1):", "walk"),
    "attention-dense": (FLOATS, "g = _gamma(gammas, t)", "g = _gamma(gammas, t + 1)", "dense"),
}
PAGING = '''
"""The broken kernel of a policy against the slow reference."""
import importlib.util
import numpy as np
from sweeps.simulators.paging import reference, simulate
from sweeps.strategies import paging_instances

spec = importlib.util.spec_from_file_location("broken", {broken!r})
broken = importlib.util.module_from_spec(spec)
spec.loader.exec_module(broken)
setattr(simulate, {module!r}, broken)
instances = paging_instances(max_k=6)


def gap(one):
    n = one.k + len(one.requests)
    draws = np.random.default_rng(7).random(n)
    pages = max(one.k - 1, *one.requests) + 1
    requests, predictions = np.array(one.requests, np.int32), np.array(one.predictions, float)
    instance = simulate.Instance(one.k, pages, requests, draws, predictions)
    fault, new, _, _ = simulate.serve({policy!r}, instance, tau=0, budget="on-fault")
    new = simulate.count_l0(instance) if new is None else new
    slow = reference.run(
        {policy!r}, one.requests, k=one.k, cache=range(one.k), predictions=one.predictions, draws=draws.tolist()
    )
    return sum(a != b for a, b in zip(fault.tolist(), slow.faults, strict=True)) + abs(new - slow.l0)
'''
ATTENTION = '''
"""The broken float kernel against exact stepping, beyond rounding, on starts without a tie of different points."""
import importlib.util
from fractions import Fraction
from itertools import islice
import numpy as np
from sweeps.simulators.attention import reference
from sweeps.strategies import token_configurations

spec = importlib.util.spec_from_file_location("broken", {broken!r})
broken = importlib.util.module_from_spec(spec)
spec.loader.exec_module(broken)
instances = token_configurations(d=2)


def gap(tokens):
    unit = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)]]
    X = np.array(tokens.points, float)
    exact = list(islice(reference.states([list(map(Fraction, row)) for row in tokens.points], unit, "avg"), 3))
    if any(len({{tuple(x[j]) for j in target}}) > 1 for _, x, leaders in exact for target in leaders):
        return 0
    broken.{policy}(X, np.eye(2), 0, np.empty(0), 0, 2, np.inf)
    return sum(abs(float(x) - float(y)) > 1e-6 for row, other in zip(X, exact[2][1]) for x, y in zip(row, other))
'''


def claim_file(name: str, folder: Path, *, planted: bool = True) -> Path:
    """The claim's file in ``folder``, with the kernel's copy beside it, broken unless ``planted`` is False."""
    source, right, wrong, policy = PLANTS[name]
    text = (SIMULATORS / source).read_text(encoding="utf-8")
    assert right in text, f"{source} has changed: plant another defect"
    broken = folder / "broken.py"
    broken.write_text(text.replace(right, wrong) if planted else text, encoding="utf-8")
    template = ATTENTION if source == FLOATS else PAGING
    module = Path(source).stem
    path = folder / "claim.py"
    path.write_text(template.format(broken=str(broken), policy=policy, module=module), encoding="utf-8")
    return path
