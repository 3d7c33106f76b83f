"""One file a subcommand of ``python -m fits``: options in, text or JSON out."""
