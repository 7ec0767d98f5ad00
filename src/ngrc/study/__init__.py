"""The paper's results, one folder per experiment: its simulation, figure, expected values and tolerances.

A target is found by name in `registry`, run by `Target.run(settings)`, and its `Outcome` is written by `output`.
"""
