"""Claims "kernel = reference" about copies of our kernels with an off-by-one: what a hunt must find."""

from pathlib import Path

import sweeps

SIMULATORS = Path(sweeps.__file__).parent / "simulators"
PLANTS = {  # name: kernel's file, what stands there, what is planted, template
    "paging-fifo": ("paging/kernels.py", "if oldest + 1 < k else 0", "if oldest + 2 < k else 0", "fifo"),
    "paging-rpb-om": ("paging/layers.py", "if unrevealed <= earns[y]:", "if unrevealed <= earns[y] + 1:", "rpb-om"),
    "attention-walk": ("attention/kernels.py", "for j in range(1, n):", "for j in range(1, n - 1):", "attention"),
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
    fault = simulate.serve({policy!r}, instance, tau=0, budget="on-fault")[0].tolist()
    slow = reference.run(
        {policy!r}, one.requests, k=one.k, cache=range(one.k), predictions=one.predictions, draws=draws.tolist()
    )
    return sum(a != b for a, b in zip(fault, slow.faults, strict=True))
'''
ATTENTION = '''
"""The broken float kernel against exact stepping, on starts without ties; they differ by more than rounding."""
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
    if any(len(target) > 1 for _, _, leaders in exact for target in leaders):
        return 0
    broken.walk(X, np.eye(2), 0, np.empty(0), 0, 2, np.inf)
    return sum(abs(x - float(y)) > 1e-6 for row, other in zip(X, exact[2][1]) for x, y in zip(row, other))
'''


def claim_file(name: str, folder: Path, *, planted: bool = True) -> Path:
    """The claim's file in ``folder``, with the kernel's copy beside it, broken unless ``planted`` is False."""
    source, right, wrong, policy = PLANTS[name]
    text = (SIMULATORS / source).read_text(encoding="utf-8")
    assert right in text, f"{source} has changed: plant another defect"
    broken = folder / "broken.py"
    broken.write_text(text.replace(right, wrong) if planted else text, encoding="utf-8")
    template = ATTENTION if policy == "attention" else PAGING
    module = Path(source).stem
    path = folder / "claim.py"
    path.write_text(template.format(broken=str(broken), policy=policy, module=module), encoding="utf-8")
    return path
