"""Hypothesis strategies for command lines of every command, sizes so small that none runs long."""

import json

from hypothesis import strategies as st

ODD = [
    "",
    "-1",
    "0",
    "x",
    "nan",
    "inf",
    "1e400",
    "1e-400",
    "1/0",
    "--",
    "é",
    "\ud800",
    "\x00",
    "9" * 50,
    "٣",
    "1_0",
    " 4",
]
odd = st.sampled_from(ODD)
FILES = """run run/run.json table.csv trace four.json verdicts.json junk junk.csv junk.json junk.jsonl junk.parquet
junk.gz missing . a\0b four.json/x mine.py new/dir/file"""
paths = st.sampled_from(FILES.split())


def of(*values):
    """Mostly the values given, now and then an odd one: too many would leave nothing but usage errors."""
    return st.integers(0, 11).flatmap(lambda n: odd if n == 0 else st.sampled_from(list(values)))


def some(pool):
    """A few of the options, each with a value; an option without a value stands for a switch."""
    one = st.one_of(*(st.just((name,)) if value is None else st.tuples(st.just(name), value) for name, value in pool))
    return st.lists(one, max_size=4).map(lambda found: [word for option in found for word in option])


SWEEP = [
    ("--k-max", of("2", "3", "8", "16", "1e1", "8.5")),
    ("--k-min", of("2", "3", "4", "8")),
    ("--ratio", of("1.5", "2", "64", "1")),
    ("--seed", of("0", "1", "18446744073709551616")),
    ("--looks", of("1", "2", "8", "9")),
    ("--jobs", of("1")),
    ("--backend", of("threads", "serial", "fork")),
    ("--time-limit", of("1s", "0.5", "1w", "99999999999999999999h")),
    ("--replicates", of("2", "3", "20")),
    ("--out", paths),
    ("--expect", of("toy", "inconclusive", "verified")),
    ("--dry-run", None),
    ("--force-new", None),
    ("--retry-failed", None),
    ("--quiet", None),
]
PAGING = [
    *SWEEP,
    ("--policy", of("lru", "opt", "marker", "onlinemin", "random", "RPB_OM", "lru,opt")),
    ("--budget", of("on-fault", "on-request")),
    ("--tau", of("0", "1", "3")),
    ("--adversary", of("lazy", "cyclic", "uniform")),
    (
        "--predictions",
        of("perfect", "reversed", "lognormal:1", "normal:1e300", "lognormal:1e9", "normal:-1", "random:2"),
    ),
    ("--requests", of("1", "100")),
    ("--target-se", of("1", "10")),
    ("--trace", paths),
    ("--k", of("2", "1,2", "2,,3", "1048577")),
]
POINTS = of("4;-1", "2;-1", "1,0;-1,0", "1/2,0;-1/2,1;0,-1/3", "0", "0;0", ";", "1;2", "1,2;3", "1e-20;-1", "-1;1;")
ATTENTION = [
    ("--tokens", POINTS),
    ("--random", of("3,2", "2,1", "1,1", "3", "0,0", "3,2;1,1", "999999999,1")),
    ("--b", of("1", "2", "1,0;0,2", "0", "-1", "1,2;3,4", "1e-20")),
    ("--horizon", of("1", "300", "1e12", "1e42", "1.5")),
    ("--tie", of("low", "avg", "stay")),
    ("--index", of("update", "state")),
    ("--float", None),
    ("--certificate", paths),
    ("--count", of("1", "3")),
    ("--seed", of("0", "7")),
    ("--jobs", of("1")),
    ("--out", paths),
    ("--expect", of("falsified", "verified")),
    ("--quiet", None),
]
DECIDE = [
    ("--x", of("k", "n", "mean")),
    ("--y", of("mean", "k", "se")),
    ("--se", of("se", "mean", "k")),
    ("--group", of("k", "mean", "n")),
    ("--reps", of("2", "30", "k", "1")),
    ("--shared-seeds", of("n", "k")),
    (
        "--rival",
        of("ln", "log(k)**2", "k", "k**0.5", "1/(k-4)", "exp(exp(k))", "log(", "zoo", "I*k", "k.real", "__import__"),
    ),
    ("--c-star", of("0.1", "1e-300", "1e300")),
    ("--k-min", of("3", "16", "1e300", "x")),
    ("--k-full", of("0", "64", "1e300")),
    ("--tier", of("0", "1", "2")),
    ("--law", of("k**0.3", "ln", "sin(k)", "k**k**k", "1", "lambda", "2**(2**k)")),
    ("--looks", paths),
    ("--figure", st.sampled_from(["none", "f.svg", "missing/f.svg", "."])),
    ("--expect", of("toy", "toy:flat-too-short", "verified", "falsified:x")),
    ("--quiet", None),
]
PLAN = [
    ("--sd", of("0.28", "1e-300", "1e300", "1e-9")),
    ("--c", of("0.38", "1e-300", "1e300")),
    ("--budget", of("1e6", "1e300", "1")),
    ("--cost", of("1", "k", "k**2", "1/k", "-k", "log(k)", "k**k", "(")),
    ("--k-min", of("4", "3", "1e18", "2.9")),
    ("--k-limit", of("64", "1024", "1e18", "2")),
    ("--step", of("0.5", "1", "40", "1e-3")),
    ("--tier", of("0", "1", "2")),
]
CALIBRATE = [("--cell", of("U1", "R1", "F9")), ("--seed", of("0", "5")), ("--all", None), ("--jobs", of("0", "1"))]
COMMANDS = {
    "sweeps paging": (["--k-max=8", "--replicates=9", "--jobs=1"], SWEEP + PAGING),
    "sweeps mine.py": (["--k-max=16", "--replicates=9", "--jobs=1"], SWEEP),
    "sweeps attention": (["--jobs=1", "--count=2"], ATTENTION),
    "sweeps attention --tokens=4;-1": ([], ATTENTION),
    "sweeps show": ([], []),
    "sweeps runs": ([], []),
    "sweeps report": ([], [("--out", paths)]),
    "sweeps reproduce": ([], [("--out", paths), ("--jobs", of("1"))]),
    "sweeps export": ([], [("--out", paths)]),
    "sweeps schema": ([], [("--json", None)]),
    "sweeps mcp": (["--jobs=0"], [("--out", paths)]),
    "sweeps": ([], [("pageing", None), ("--k-max", of("4"))]),
    "fits decide": ([], DECIDE),
    "fits decide table.csv --se=se": ([], DECIDE),
    "fits plan": (["--sd=0.3"], PLAN),
    "fits calibrate": (["--n=1", "--cell=U1", "--jobs=1", "--quiet"], CALIBRATE),
    "fits": ([], DECIDE),
    "cases": (["--quick", "--quiet"], [("--out", paths)]),
    "cases icml2026_units_slip": (["--quiet"], [("--out", paths), ("--quick", None)]),
    "cases ledger": ([], [("--quiet", None)]),
    "exact verify": ([], [("--quiet", None)]),
    "exact": ([], [("--quiet", None), ("verify", None)]),
}
PLACES = ("sweeps show", "sweeps runs", "sweeps report", "sweeps reproduce", "sweeps export", "sweeps schema")
PLACES += ("fits decide", "cases ledger", "exact verify", "exact")

words = st.lists(st.one_of(paths, of("sweep", "error", "icml2026_units_slip")), max_size=2)


@st.composite
def command_lines(draw):
    """A command line; those that would run something long without a name get one."""
    name = draw(st.sampled_from([*sorted(COMMANDS), *["cases", "sweeps mine.py"] * 2]))
    base, pool = COMMANDS[name]
    options = draw(some(pool)) if pool else []
    free = draw(words) if name in PLACES or draw(st.integers(0, 9)) == 0 else []
    if name == "cases":
        free = free or ["mine.py"]
    extra = draw(st.sampled_from([[]] * 30 + [["--nonsense"], ["--js"], ["--help"], ["--json=1"], ["--out"]]))
    json_too = ["--json"] if draw(st.booleans()) else []
    return [*name.split(" "), *base, *free, *options, *json_too, *extra]


number = st.one_of(st.floats(width=64).map(repr), st.integers(-5, 2000).map(str), odd)
rows = st.lists(st.lists(number, min_size=3, max_size=3).map(",".join), max_size=12)
tables = rows.map(lambda found: "\n".join(["k,mean,se", *found]))
sane = st.lists(st.floats(-5, 5).map(lambda x: f"{x:.3g}"), min_size=9, max_size=9).map(
    lambda found: "\n".join(["k,mean,se", *(f"{2 ** (i + 2)},{y},0.1" for i, y in enumerate(found))])
)
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)),
    max_leaves=8,
)
FIELDS = ["run_id", "state", "simulator", "claim", "parameters", "seed", "looks", "code", "source", "rows", "blocks"]
FIELDS += ["finding", "sha256", "versions", "kind", "orid", "judged_at", "claims", "process", "k", "mean", "se"]
objects = st.dictionaries(st.sampled_from(FIELDS), values, max_size=6)
documents = st.one_of(values, objects, st.lists(objects, max_size=2)).map(json.dumps)
texts = st.one_of(
    tables, sane, documents, st.text(max_size=60), st.just("[" * 5000), st.just('{"k": 1' + "0" * 5000 + "}")
)
files = st.one_of(st.binary(max_size=60), texts.map(lambda text: text.encode("utf-8", "surrogatepass")))

CASE = """from cases import Case, Claim, Finding
claim = Claim("a", "b", "c", "d", "e", "f", "g")
good = Finding("toy", "exact", "s", "r")
def check(quick): {0}
CASE = Case(claim, check, check, "toy", "toy")
def sample(k, count, rng): {1}
def exact(k): {2}
C_STAR = {3}
"""
BODIES = ["return 1 / 0", "return None", "raise SystemExit(7)", "return 'x'", "return float('nan')", "return {}"]
sources = st.one_of(
    st.sampled_from(["", "1 / 0", "raise SystemExit(5)", "import nothing", "def (", "CASE = 3", "sample = 4", "\x00"]),
    st.builds(
        CASE.format,
        st.sampled_from(
            [*BODIES, "return good", "return Finding('toy', 'exact', 's', 'r', details={'x': float('inf')})"]
        ),
        st.sampled_from([*BODIES, "return rng.random(count)", "return [0] * count", "return 1"]),
        st.sampled_from([*BODIES, "return 0", "return 0.5", "return None"]),
        st.sampled_from(["0.1", "None", "-1", "'x'", "float('nan')"]),
    ),
)
