"""Pieces of a self-contained HTML page: no network, no script; readable on a phone and in print."""

import re
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1b1b1b; background: #fff; }
body { margin: 0 auto; max-width: 56rem; padding: 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.verdict { border-left: .4rem solid #1f4e79; background: #f3f6fa; padding: .6rem 1rem; }
.verdict strong { font-size: 1.2rem; }

.warned { border-left: .4rem solid #c0504d; background: #fdf1f0; padding: .5rem 1rem; margin: .5rem 0; }
.scroll { overflow-x: auto; } pre { white-space: pre-wrap; overflow-wrap: anywhere; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th, td { text-align: right; padding: .2rem .7rem; border-bottom: 1px solid #ddd; white-space: nowrap; }
dl { display: grid; grid-template-columns: minmax(8rem, 16rem) 1fr; gap: .2rem 1rem; }
dt { font-weight: 600; } dd { margin: 0; overflow-wrap: anywhere; }
figure { margin: 1rem 0; } figure svg { width: 100%; height: auto; } code { overflow-wrap: anywhere; }
figure { overflow-x: auto; }
@media (max-width: 40rem) {
  dl { grid-template-columns: 1fr; } dd { margin-left: 1rem; }
  .wide svg { min-width: 60rem; }
}
@media print { body { max-width: none; font-size: 11pt; } .verdict { background: none; } tr { break-inside: avoid; } }
"""


def page(title: str, sections: Iterable[str]) -> str:
    """The page."""
    head = '<meta charset="utf-8">\n<meta name="viewport" content="width=device-width, initial-scale=1">'
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n{head}\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(sections)
        + "\n</main>\n</body>\n</html>\n"
    )


def warned(lines: Iterable[str]) -> list[str]:
    """What is to be known before anything else."""
    return [f'<div class="warned"><strong>Warning</strong>: {escape(line)}</div>' for line in lines]


def verdict(finding: Mapping[str, str], more: Iterable[str] = ()) -> str:
    """The verdict, its evidence, why."""
    strong = f"<strong>{escape(finding['verdict'])}</strong> ({escape(finding['evidence'])})"
    said = "".join(f"<p>{escape(line)}</p>" for line in (finding["sentence"], *more))
    return f'<div class="verdict">{strong}{said}</div>'


def figure(svg: str, says: str) -> str:
    """An SVG file's text as an inline figure with its text alternative."""
    inline = re.sub(r"^.*?<svg ", f'<svg role="img" aria-label="{escape(says)}" ', svg, count=1, flags=re.DOTALL)
    width, height = map(float, re.findall(r'viewBox="0 0 ([\d.]+) ([\d.]+)"', svg)[0])
    wide = ' class="wide"' * (width > 2 * height)  # on a phone it is scrolled, not shrunk
    return f"<figure{wide}>{inline}<figcaption>{escape(says)}</figcaption></figure>"


def table(names: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table; floats with four places."""
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in names)
    body = "".join("<tr>" + "".join(f"<td>{_cell(value)}</td>" for value in row) + "</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>'


def _cell(value: Any) -> str:
    return "-" if value is None else f"{value:.4f}" if isinstance(value, float) else escape(str(value))


def terms(named: Mapping[str, str]) -> str:
    """Names with what they stand for."""
    return "<dl>" + "".join(f"<dt>{escape(k)}</dt><dd>{escape(v)}</dd>" for k, v in named.items()) + "</dl>"
