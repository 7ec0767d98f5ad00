"""A readout of what is known at an origin: how large the next error may be, and which quantiles it may have."""
