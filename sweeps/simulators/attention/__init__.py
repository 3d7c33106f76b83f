"""Hardmax attention as Frank-Wolfe steps: tokens, leaders, and the claim that the energy stays below 2 L D^2/(t+1)."""

from sweeps.spec import Claim, Model

SIMULATOR = Model(
    name="attention",
    summary="hardmax attention to any horizon: first violation of the energy bound 2 L D^2/(t+1), or none ever",
    claim=Claim(
        id="alcalde2025_frank_wolfe",
        statement="if the origin is in the tokens' hull, J(x^{t+1}) <= 2 L D^2/(t+1) for every token and every t "
        "(J(x) = <B* x, x>/2, L = lambda_max(B*), D = diameter of the tokens at the start)",
        source="arXiv 2508.09628v1, theorem fw.cluster",
    ),
)
