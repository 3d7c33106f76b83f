"""The command line: tables in, sentence or JSON out, one clear line and exit 2 for bad input."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from fits.__main__ import COMMANDS, main

K = 2.0 ** np.arange(2, 11)


def means(path, curve=lambda k: 3 + 0.38 * np.log(k), s=0.02, separator=",", reps=None):
    rng = np.random.default_rng(0)
    header = ["k", "cost", "se"] + ([] if reps is None else ["runs"])
    lines = [separator.join(header)]
    for k in K:
        row = [k, float(curve(k) + s * rng.standard_normal()), s] + ([] if reps is None else [reps])
        lines.append(separator.join(map(repr, map(float, row))))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(path)


def replicates(path, curve=lambda k: 1 + 0 * k, sd=0.3, reps=30, ks=K[:6], seed=1):
    rng = np.random.default_rng(seed)
    rows = [f"{int(k)},{curve(k) + sd * rng.standard_normal()},{r}" for k in ks for r in range(reps)]
    path.write_text("n,excess,run\n" + "\n".join(rows) + "\n", encoding="utf-8")
    return str(path)


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def test_decide_prints_the_answer_first_then_tiers_and_laws_and_draws(tmp_path, capsys):
    file = means(tmp_path / "data.csv")
    assert main(["decide", file, "--y", "cost", "--se", "se", "--c-star", "0.18"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("falsified (statistical): Growth: c = 0.3")
    answer, tiers, laws = out.split("\n\n")
    assert all(line.startswith("  ") for line in answer.splitlines()[1:])
    assert [line.split()[0] for line in tiers.splitlines()[1:5]] == ["tier", "T0", "T1", "T2"]
    assert laws.splitlines()[-1].startswith("  not told apart: ")
    assert "\n  ln.lnln     possible" in out
    assert err == "figure: data-fits.svg\n"
    assert (tmp_path / "data-fits.svg").read_text().startswith("<?xml")


def test_the_figure_has_the_same_bytes_each_time_and_names_the_surviving_laws(tmp_path, capsys):
    file = means(tmp_path / "data.csv")
    for name in ("a.svg", "b.svg"):
        assert main(["decide", file, "--y", "cost", "--se", "se", "--figure", name, "--quiet"]) == 0
    assert capsys.readouterr().err == ""
    text = (tmp_path / "a.svg").read_text()
    assert text == (tmp_path / "b.svg").read_text()
    assert "excluded at 95 % as ln (T2)" in text
    assert "<!-- ln -->" in text
    assert "<dc:date>" not in text


def test_raw_replicates_of_a_flat_quantity_are_toy_with_what_could_hide(tmp_path, capsys):
    file = replicates(tmp_path / "my.csv")
    assert main(["decide", file, "--x", "n", "--y", "excess", "--group", "n", "--figure", "none"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("toy: Flat within errors on k = 4 .. 128. Not evidence for O(1): c up to ")
    assert "times the replicates." in " ".join(out.split())
    assert "6 points, k = 4 .. 128 (k is column n)" in out
    assert not (tmp_path / "my-fits.svg").exists()


def test_json_reports_a_verified_bounded_statement_as_toy(tmp_path, capsys):
    file = means(tmp_path / "flat.csv", curve=lambda k: 3 + 0 * k)
    assert main(["decide", file, "--y", "cost", "--se", "se", "--c-star", "0.38", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["verdict"] == "toy"
    assert document["evidence"] == "statistical"
    assert document["decision"]["verdict"] == "verified"
    assert document["decision"]["c_upper"] < 0.38
    assert document["sentence"].startswith("No growth of c ln k with c >= 0.38 over k = 4 .. 1,024")


def test_the_text_of_a_verified_bounded_statement_says_toy_too(tmp_path, capsys):
    file = means(tmp_path / "flat.csv", curve=lambda k: 3 + 0 * k)
    main(["decide", file, "--y", "cost", "--se", "se", "--c-star", "0.38", "--figure", "none"])
    out = capsys.readouterr().out
    assert out.startswith("toy (bounded statement verified): No growth of c ln k")
    assert "confirms" not in out


@pytest.mark.parametrize(
    ("expected", "code"),
    [("falsified", 0), ("falsified:growth", 0), ("toy", 1), ("inconclusive", 1), ("falsified:misfit", 1)],
)
def test_expect_is_a_check_with_exit_code_1(tmp_path, capsys, expected, code):
    file = means(tmp_path / "data.csv")
    argv = ["decide", file, "--y", "cost", "--se", "se", "--figure", "none", "--expect", expected]
    assert main(argv) == code
    err = capsys.readouterr().err
    assert err == ("" if code == 0 else f"expected {expected}; got falsified:growth\n")


@pytest.mark.parametrize("expected", ["verified", "true", "toy:because"])
def test_what_can_never_be_expected_is_a_usage_error(tmp_path, capsys, expected):
    file = means(tmp_path / "data.csv")
    assert main(["decide", file, "--y", "cost", "--se", "se", "--expect", expected]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert err.startswith(f"expect={expected!r}")


def sigma(capsys, *argv):
    assert main(["decide", *argv, "--json"]) == 0
    return json.loads(capsys.readouterr().out)["decision"]["sigma"]


def test_csv_tsv_json_lines_and_stdin_give_the_same_figures(tmp_path, capsys, monkeypatch):
    comma = means(tmp_path / "a.csv")
    tab = means(tmp_path / "a.tsv", separator="\t")
    rows = [dict(zip(("k", "cost", "se"), map(float, line.split(",")), strict=True)) for line in open_lines(comma)]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n\n")
    options = ["--y", "cost", "--se", "se"]
    reference = sigma(capsys, comma, *options)
    assert sigma(capsys, tab, *options) == reference
    assert sigma(capsys, str(tmp_path / "a.jsonl"), *options) == reference
    with open(comma) as stream:
        monkeypatch.setattr("sys.stdin", stream)
        assert sigma(capsys, "-", *options) == reference


def open_lines(path):
    with open(path) as file:
        return file.read().splitlines()[1:]


def test_parquet_is_read_where_pyarrow_is(tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    comma = means(tmp_path / "a.csv")
    rows = [dict(zip(("k", "cost", "se"), map(float, line.split(",")), strict=True)) for line in open_lines(comma)]
    parquet.write_table(pyarrow.Table.from_pylist(rows), tmp_path / "a.parquet")
    options = ["--y", "cost", "--se", "se"]
    assert sigma(capsys, str(tmp_path / "a.parquet"), *options) == sigma(capsys, comma, *options)


def test_parquet_without_pyarrow_says_what_to_install(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    (tmp_path / "a.parquet").write_bytes(b"PAR1")
    refused(["decide", "a.parquet", "--se", "se"], "reading Parquet needs pyarrow", capsys)


def test_replicates_are_counted_and_means_may_name_theirs(tmp_path, capsys):
    raw = replicates(tmp_path / "raw.csv", reps=40)
    main(["decide", raw, "--x", "n", "--y", "excess", "--json"])
    assert json.loads(capsys.readouterr().out)["decision"]["data"]["reps"] == [40.0] * 6
    for reps in ("runs", "40"):
        file = means(tmp_path / "m.csv", reps=40)
        main(["decide", file, "--y", "cost", "--se", "se", "--reps", reps, "--json"])
        assert json.loads(capsys.readouterr().out)["decision"]["data"]["reps"] == [40.0] * 9


def test_shared_seeds_pair_the_replicates_across_sizes(tmp_path, capsys):
    rng = np.random.default_rng(5)
    level = rng.normal(0, 1, 50)
    rows = [f"{int(k)},{0.1 * np.log(k) + level[r] + 0.1 * rng.standard_normal()},{r}" for k in K for r in range(50)]
    (tmp_path / "crn.csv").write_text("k,mean,seed\n" + "\n".join(rows))
    paired = sigma(capsys, "crn.csv", "--shared-seeds", "seed")
    assert paired["T0"] > 2 * sigma(capsys, "crn.csv")["T0"]
    (tmp_path / "crn.csv").write_text("k,mean,seed\n" + "\n".join(rows[1:]))
    refused(["decide", "crn.csv", "--shared-seeds", "seed"], "each seed must occur exactly once", capsys)


def test_a_sweep_that_is_extended_keeps_its_log(tmp_path, capsys):
    short = replicates(tmp_path / "short.csv", ks=K[:5])
    long = replicates(tmp_path / "long.csv", ks=K[:7])
    argv = ["--x", "n", "--y", "excess", "--looks", "looks.jsonl", "--figure", "none"]
    for number, file in enumerate((short, long), 1):
        assert main(["decide", file, *argv]) == 0
        assert f"Look {number}, at 3.00 sigma." in " ".join(capsys.readouterr().out.split())
    refused(["decide", long, *argv, "--tier", "1"], "tier=1 must stay 2", capsys)


def test_a_parquet_column_that_occurs_twice_is_refused(tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    import pyarrow

    values = pyarrow.array([4.0, 8, 16, 32, 64])
    parquet.write_table(pyarrow.table([values] * 3, names=["k", "mean", "mean"]), tmp_path / "a.parquet")
    refused(["decide", "a.parquet", "--se", "mean"], "'mean' occurs twice", capsys)


def refused(argv, message, capsys):
    """One clear line on stderr, nothing on stdout, exit 2."""
    try:
        code = main(argv)
    except SystemExit as stop:
        code = stop.code
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert message in err


GOOD = "k,mean,se\n4,1,.1\n8,1,.1\n16,1,.1\n32,1,.1\n64,1,.1\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad.csv must have rows of data; it is empty"),
        ("k,mean,se\n", "bad.csv must have rows of data; it is empty"),
        ("k,mean,se\n4,1,.1\n8,1,.1\n", "points must be at least 5; got 2 sizes"),
        (GOOD.replace("16,1,.1", "16,one,.1"), "column 'mean' must hold numbers; got 'one' in row 3"),
        (GOOD.replace("16,1,.1", "16,,.1"), "column 'mean' must hold numbers; got '' in row 3"),
        (GOOD.replace("16,1,.1", "16,nan,.1"), "column 'mean' must hold finite numbers; got 'nan' in row 3"),
        (GOOD.replace("16,1,.1", "16,1,0"), "se must be positive; got 0 at k = 16"),
        (GOOD.replace("16,1,.1", "16,1,-1"), "se must be positive; got -1 at k = 16"),
        (GOOD.replace("16,1,.1", "16,1,nan"), "column 'se' must hold finite numbers"),
        (GOOD.replace("16,", "8,"), "k must be distinct; got k = 8 twice"),
        (GOOD.replace("4,1,.1\n8", "2,1,.1\n8"), "k must be at least 3 (1/ln k"),
        (GOOD.replace("4,1,.1\n8", "2,1,.1\n8"), "got 2: leave out the rows with k below 3, say with --k-min 3"),
        (GOOD.replace("16,1,.1", "1_6,1,.1"), "column 'k' must hold numbers; got '1_6' in row 3"),
        (GOOD.replace("16,1,.1", "16,1_000,.1"), "column 'mean' must hold numbers; got '1_000' in row 3"),
        (GOOD.replace("16,1,.1", "16,\u0661,.1"), "column 'mean' must hold numbers; got '\u0661' in row 3"),
        (
            GOOD.replace("16,1,.1", "16,-Infinity,.1"),
            "column 'mean' must hold finite numbers; got '-Infinity' in row 3",
        ),
        (GOOD.replace("16,1,.1", "16,1e999,.1"), "column 'mean' must hold finite numbers; got '1e999' in row 3"),
        (GOOD.replace("16,1,.1", "16,0x10,.1"), "column 'mean' must hold numbers; got '0x10' in row 3"),
        (GOOD.replace("k,mean,se", "k,mean,se,se").replace(",.1", ",.1,.2"), "each column once; 'se' occurs twice"),
        (
            '{"k": 4, "mean": 1, "se": 1, "mean": 2}',
            "bad.csv line 1 must be a JSON object: it must name each column once",
        ),
        ('{"k": 4, "mean": true, "se": 1}', "column 'mean' must hold numbers; got True in row 1"),
        ('{"k": 4, "mean": NaN, "se": 1}', "column 'mean' must hold finite numbers; got nan in row 1"),
        ('{"k": 1' + "0" * 400 + ', "mean": 1, "se": 1}', "column 'k' must hold finite numbers; got 1000"),
        (GOOD.replace("16,1,.1", "16,1,.1,7"), "as many fields in every line"),
        (GOOD.replace("16,1,.1", "16,1"), "column 'se' must hold numbers; got None in row 3"),
        (GOOD.replace("mean", "value"), "column 'mean' is missing; the file has k, value, se"),
        ('{"k": 4}\n{"k"', "bad.csv line 2 must be a JSON object"),
        ('{"k": 4}\n[4]', "bad.csv line 2 must be a JSON object; got list"),
        ('k,mean,se\n"4,1,.1\n', "unexpected end of data"),
    ],
)
def test_bad_tables_are_refused_in_one_line_with_exit_2(tmp_path, capsys, text, message):
    (tmp_path / "bad.csv").write_text(text)
    refused(["decide", "bad.csv", "--se", "se"], message, capsys)


def test_text_of_another_encoding_is_refused(tmp_path, capsys):
    (tmp_path / "bad.csv").write_bytes(b"k,mean,se\n\xff\xfe\x00\n")
    refused(["decide", "bad.csv", "--se", "se"], "must be UTF-8 text", capsys)


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["decide", "none.csv"], "none.csv cannot be read: No such file or directory"),
        (["decide", "good.csv"], "each k must have at least 3 replicates; got 1 at k = 4"),
        (["decide", "good.csv", "--group", "g"], "column 'g' is missing"),
        (["decide", "good.csv", "--group", "mean"], "k must be the same in every row with mean = 1"),
        (["decide", "good.csv", "--reps", "5"], "reps must come with --se"),
        (["decide", "good.csv", "--se", "se", "--reps", "1"], "reps must be at least 3"),
        (
            ["decide", "good.csv", "--se", "se", "--reps", "3.5"],
            "reps must be whole numbers up to 2^53; got 3.5 at k = 4",
        ),
        (["decide", "good.csv", "--se", "se", "--reps", "se"], "reps must be at least 3"),
        (["decide", "good.csv", "--se", "se", "--k-min", "2"], "k-min=2 must be at least 3"),
        (["decide", "good.csv", "--se", "se", "--k-min", "nan"], "k-min=nan must be at least 3"),
        (["decide", "good.csv", "--se", "se", "--k-min", "65"], "k-min=65 must leave rows; the largest k is 64"),
        (["decide", "good.csv", "--se", "se", "--k-min", "5"], "points must be at least 5; got 4 sizes"),
        (["decide", "good.csv", "--se", "se", "--figure", "a.png"], "figure='a.png' must end in .svg, or be none"),
        (["decide", "good.csv", "--se", "se", "--figure", "a"], "figure='a' must end in .svg"),
        (["decide", "good.csv", "--se", "se", "--reps", "r"], "column 'r' is missing"),
        (["decide", "good.csv", "--se", "se", "--shared-seeds", "k"], "shared-seeds must come with raw"),
        (["decide", "good.csv", "--se", "se", "--rival", "log(k"], "law='log(k' must be one of"),
        (["decide", "good.csv", "--se", "se", "--rival", "1/k"], "must grow over"),
        (["decide", "good.csv", "--se", "se", "--law", "import os"], "law='import os' must be one of"),
        (["decide", "good.csv", "--se", "se", "--c-star", "0"], "c_star=0.0 must be positive"),
        (["decide", "good.csv", "--se", "se", "--c-star", "x"], "invalid float value: 'x'"),
        (["decide", "good.csv", "--se", "se", "--tier", "7"], "invalid choice: 7"),
        (["decide", "good.csv", "--se", "se", "--group", "k"], "not allowed with"),
        (["decide", "good.csv", "--se", "se", "--figure", "no/where.svg"], "No such file or directory"),
        (["decide"], "FILE"),
        ([], "COMMAND"),
        (["guess"], "invalid choice: 'guess'"),
        (["plan", "--sd", "1"], "c or budget must be given"),
        (["plan", "--sd", "-1", "--c", "1"], "sd=-1.0 must be positive"),
        (["plan", "--sd", "1", "--c", "1", "--cost", "k k"], "law='k k' must be one of"),
        (["calibrate", "--cell", "Z9"], "cell='Z9' must be one of F1"),
        (["calibrate", "--n", "0", "--jobs", "1"], "n=0 must be at least 1"),
        (["calibrate", "--jobs", "0"], "jobs must not be 0"),
    ],
)
def test_bad_options_are_refused_in_one_line_with_exit_2(tmp_path, capsys, argv, message):
    (tmp_path / "good.csv").write_text(GOOD)
    refused(argv, message, capsys)


def test_a_single_replicate_of_many_is_named(tmp_path, capsys):
    file = replicates(tmp_path / "raw.csv")
    with open(file, "a") as table:
        table.write("200,1.0,0\n")
    refused(["decide", file, "--x", "n", "--y", "excess"], "at least 3 replicates; got 1 at n = 200", capsys)


@pytest.mark.parametrize("value", [1, 0.1, 0])
def test_replicates_without_scatter_are_refused_because_their_variance_is_unknown(tmp_path, capsys, value):
    """Thirty times 0.1 have a variance of 1e-34 in floats; no error is spoken of that nobody gave."""
    file = replicates(tmp_path / "raw.csv", curve=lambda _: value, sd=0.0)
    message = "replicates at n = 4, 8, 16, ... are all equal (up to rounding): no scatter was seen"
    refused(["decide", file, "--x", "n", "--y", "excess"], message, capsys)


def test_one_size_without_scatter_is_named_and_can_be_left_out(tmp_path, capsys):
    file = replicates(tmp_path / "raw.csv")
    with open(file, "a") as rows:
        rows.writelines(f"1,0.1,{r}\n3,0.1,{r}\n" for r in range(30))
    argv = ["decide", file, "--x", "n", "--y", "excess", "--figure", "none"]
    refused(argv, "got 1: leave out the rows with n below 3, say with --k-min 3", capsys)
    refused([*argv, "--k-min", "3"], "replicates at n = 3 are all equal", capsys)
    assert main([*argv, "--k-min", "4"]) == 0
    assert "6 points, k = 4 .. 128 (k is column n); rows with n < 4 are left out\n" in capsys.readouterr().out
    assert main([*argv, "--k-min", "4", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["source"]["k_min"] == 4


def test_columns_without_a_name_may_repeat_as_spreadsheets_write_them(tmp_path, capsys):
    (tmp_path / "a.csv").write_text("".join(f"{line},,\n" for line in GOOD.splitlines()))
    assert main(["decide", "a.csv", "--se", "se", "--figure", "none"]) == 0
    capsys.readouterr()
    refused(["decide", "a.csv", "--se", ""], "column '' is missing", capsys)


def test_plan_prints_a_table_that_sees_the_slope(capsys):
    assert main(["plan", "--c", "0.38", "--sd", "0.28"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("15 points, k = 4 .. 512, cost ")
    assert "Sees c >= 0.3" in out
    assert "cheapest for this slope, by k_max:" in out


def test_plan_says_when_a_budget_is_too_small(capsys):
    assert main(["plan", "--c", "0.1", "--sd", "1", "--budget", "1e5"]) == 0
    assert "the budget is too small." in capsys.readouterr().out


def test_plan_as_json_is_what_the_function_returns(capsys):
    import fits

    assert main(["plan", "--budget", "1e5", "--sd", "1", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == fits.plan(budget=1e5, sd=1.0).to_dict()


def test_calibrate_prints_rates_with_pass_figures(capsys):
    assert main(["calibrate", "--cell", "P1", "--n", "200", "--jobs", "1", "--quiet"]) == 0
    out, err = capsys.readouterr()
    assert out.splitlines()[-1] == "2 of 2 checks hold, 200 sweeps a case"
    assert err == ""


def test_calibrate_as_json_keeps_seed_versions_and_every_row(capsys):
    assert main(["calibrate", "--cell", "V2", "--n", "200", "--jobs", "1", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert (document["seed"], document["n"], document["ok"]) == (0, 200, True)
    assert [row["measure"] for row in document["rows"]] == ["verified", "verified", "toy"]
    assert set(document["versions"]) == {"python", "numpy", "scipy"}


def test_calibrate_exits_1_when_a_check_fails(capsys, monkeypatch):
    monkeypatch.setattr("fits.calibration.cases.Check.holds", lambda *_: False)
    assert main(["calibrate", "--cell", "P1", "--n", "10", "--jobs", "1", "--quiet"]) == 1
    assert "FAILS" in capsys.readouterr().out


def test_help_needs_neither_numpy_nor_a_third_of_a_second():
    code = "import sys; from fits.__main__ import parser; parser(); print('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout == "False\n"
    times = []
    for _ in range(3):
        before = os.times()
        out = subprocess.run([sys.executable, "-m", "fits", "--help"], capture_output=True, text=True)
        after = os.times()
        times.append(sum(after[2:4]) - sum(before[2:4]))  # processor time, whatever else the machine does
        assert all(name in out.stdout for name in COMMANDS)
    assert min(times) < 0.3


def test_an_interrupt_exits_130_without_a_traceback(capsys, monkeypatch):
    def interrupt(*_args, **_kwargs):
        raise KeyboardInterrupt

    monkeypatch.setattr("fits.commands.plan.run", interrupt)
    assert main(["plan", "--sd", "1", "--c", "1"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


def test_a_law_that_the_data_do_not_need_is_not_called_excluded(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "flat.csv").write_text("k,mean,se\n4,1,.1\n8,1.2,.1\n16,1.1,.1\n32,1,.1\n64,1.1,.1\n128,1,.1\n")
    assert main(["decide", "flat.csv", "--se", "se", "--figure", "none"]) == 0
    out = capsys.readouterr().out
    assert "\n  1           possible" in out
    assert "\n  ln          no rise" in out
    assert "no rise: describes the data with a best slope of 0 or less" in out
    assert "excluded  " not in out


def table(path, k, y, s=0.02):
    rows = [f"{x!r},{z!r},{s!r}" for x, z in zip(map(float, k), map(float, y), strict=True)]
    path.write_text("k,mean,se\n" + "\n".join(rows) + "\n")
    return str(path)


@pytest.mark.parametrize("k", [100_000 + 10.0 * np.arange(9), 1e6 + np.arange(5), 1e12 + np.arange(9)])
@pytest.mark.parametrize("options", [[], ["--c-star", "0.18"], ["--json", "--figure", "f.svg"]])
def test_a_narrow_range_is_decided_and_drawn_without_a_warning(tmp_path, capsys, k, options):
    file = table(tmp_path / "n.csv", k, 3 + 0 * k)
    assert main(["decide", file, "--se", "se", *options]) == 0  # warnings are errors here
    out, err = capsys.readouterr()
    assert "narrow" in out
    assert err.count("\n") == 1
    assert err.startswith("figure: ")
    if "--json" not in options:
        assert f"points, k = {k[0]:.0f} .. {k[-1]:.0f}\n" in out
        assert "inf" not in out


def test_the_tables_say_where_the_rival_misfits_and_which_laws_fall(tmp_path, capsys):
    assert main(["decide", table(tmp_path / "a.csv", K, 0.01 * K), "--se", "se", "--figure", "none"]) == 0
    assert capsys.readouterr().out.count("; ln misfits\n") == 3
    assert main(["decide", table(tmp_path / "b.csv", K, 5 - 0.38 * np.log(K)), "--se", "se", "--figure", "none"]) == 0
    out = capsys.readouterr().out
    assert "misfits" not in out
    assert (
        out.rstrip()
        .splitlines()[-1]
        .startswith("  no law describes the data with a rise; with a fall: lnln, ln^0.5, ln,")
    )


def test_a_large_chi2_keeps_its_column(tmp_path, capsys):
    assert main(["decide", table(tmp_path / "a.csv", K, K**2), "--se", "se", "--figure", "none"]) == 0
    laws = capsys.readouterr().out.split("\n\n")[2].splitlines()[2:-1]
    assert len({len(line) for line in laws}) == 1
