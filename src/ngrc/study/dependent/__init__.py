"""Beyond the paper: the phase picture of Experiment 2 for dependent rows and for real NGRC designs."""
