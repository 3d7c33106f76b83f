"""Every option of every claim: too small, too large or absurd gives one line with the true limits, and exit code 2."""

import inspect
import json
from importlib import import_module

import pytest

from sweeps.commands import main
from sweeps.hunting import BadClaim, assert_claim, claims, hunt, names, target

ALL = [(name, option) for name in names() for option in claims._MAKERS[name].takes]
ABSURD = ("1e30", "-1e30", "9" * 39)


def said(arguments, capsys):
    """The line on stderr, and the document, of a command that is refused."""
    try:
        code = main(["hunt", *arguments, "--json"])
    except SystemExit as end:
        code = end.code
    printed = capsys.readouterr()
    document = json.loads(printed.out)
    assert (code, document["code"], printed.err.count("\n")) == (2, 2, 1)
    assert document.keys() == {"error", "code", "remedy"}
    assert printed.err.startswith(document["error"])
    return document["error"]


@pytest.mark.parametrize(("name", "option"), ALL)
def test_values_outside_an_option_s_limits_are_refused_with_them(name, option, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    limits = claims._MAKERS[name].takes[option]
    if isinstance(limits, claims.Word):
        assert said([name, f"--{option}=never"], capsys) == f"{option} must be on-fault or on-request; got 'never'"
    else:
        wanted = f"{option} must be between {limits.least} and {limits.most} for this hunt; got "
        for value in (limits.least - 1, limits.most + 1, *ABSURD):
            assert said([name, f"--{option}={value}"], capsys) == wanted + str(
                int(float(value)) if value in ABSURD[:2] else value
            )
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("name", "option"), ALL)
def test_an_option_s_limits_themselves_can_be_hunted(name, option):
    limits = claims._MAKERS[name].takes[option]
    ends = limits.words if isinstance(limits, claims.Word) else (limits.least, limits.most)
    for value in ends:
        ended = hunt(name, seconds=0.5, **{option: value})
        assert ended.found or ended.instances_tried > 0


@pytest.mark.parametrize("name", names())
def test_defaults_of_options_are_those_of_the_functions(name):
    maker = claims._MAKERS[name]
    function = getattr(import_module(f"sweeps.hunting.{maker.module}"), maker.function)
    defaults = {key: inspect.signature(function).parameters[key].default for key in maker.takes}
    assert defaults == {key: one.default for key, one in maker.takes.items()}


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"seed": -1}, "seed must be at least 0 for this hunt; got -1"),
        ({"seed": 0.5}, "seed must be an integer of at least 0 for this hunt; got 0.5"),
        ({"jobs": 0}, "jobs must be between 1 and 256 for this hunt; got 0"),
        ({"jobs": 10**6}, "jobs must be between 1 and 256 for this hunt; got 1000000"),
        ({"jobs": True}, "jobs must be an integer between 1 and 256 for this hunt; got True"),
        ({"seconds": 0}, "seconds must be a number of seconds above 0 and below 1000000000; got 0"),
        ({"seconds": float("nan")}, "seconds must be a number of seconds above 0 and below 1000000000; got nan"),
        ({"seconds": float("inf")}, "seconds must be a number of seconds above 0 and below 1000000000; got inf"),
        ({"seconds": "10"}, "seconds must be a number of seconds above 0 and below 1000000000; got '10'"),
        ({"call_seconds": -1}, "call_seconds must be a number of seconds above 0 and below 1000000000; got -1"),
        (
            {"call_seconds": 5},
            "call_seconds must not be given for this claim; it limits the calls of a claim's own file",
        ),
        ({"colour": 1}, "colour must not be given for {name}; it takes "),
    ],
    ids=str,
)
def test_arguments_that_every_hunt_has_are_refused_with_their_limits(name, arguments, error):
    for door in (hunt, assert_claim):
        with pytest.raises(BadClaim) as raised:
            door(name, **arguments)
        assert str(raised.value).startswith(error.format(name=name))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--seed=-1"], "seed must be at least 0 for this hunt; got -1"),
        (["--jobs=-3"], "jobs must be between 1 and 256 for this hunt; got -3"),
        (["--jobs=1e6"], "jobs must be between 1 and 256 for this hunt; got 1000000"),
        (["--seconds=0"], "argument --seconds: seconds must be a time such as 90s, 10m or 2h; got '0'"),
        (["--seconds=999999999d"], "seconds must be a number of seconds above 0 and below 1000000000; got 8639"),
        (["--call-seconds=-1"], "argument --call-seconds: call-seconds must be a time"),
        (["--call-seconds=5"], "call-seconds must not be given for this claim"),
    ],
    ids=str,
)
def test_the_command_line_says_the_same(arguments, error, capsys):
    assert said(["onlinemin2015_optimal", *arguments], capsys).startswith(error)


@pytest.mark.parametrize(
    ("k", "error"), [(2.5, "an integer between"), ("4", "an integer between"), (True, "an integer be")]
)
def test_an_option_that_is_no_integer_is_refused(k, error):
    with pytest.raises(BadClaim, match=error):
        hunt("chen2026_rpb_om", k=k)
    with pytest.raises(BadClaim, match=error):
        target("chen2026_rpb_om", k=k)


def test_an_object_is_not_hunted_by_several_processes_and_says_so():
    from types import SimpleNamespace

    from hypothesis import strategies as st

    claim = SimpleNamespace(gap=lambda x: x - 10, instances=st.integers(0, 9))
    with pytest.raises(BadClaim, match="jobs must be 1 for an object"):
        hunt(claim, seconds=1, jobs=2)
