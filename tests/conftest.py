"""Settings of the whole suite."""

from hypothesis import settings

settings.register_profile("claimsweep", deadline=None)  # a first call compiles its kernels
settings.load_profile("claimsweep")
