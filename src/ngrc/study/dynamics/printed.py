"""What is printed of NGRC on chaotic systems, typed in once.

Gauthier, Bollt, Griffith and Barbosa, "Next generation reservoir computing", Nature Communications 12, 5564 (2021),
doi:10.1038/s41467-021-25801-2: captions of Figs. 2 to 4, means over ten windows with their standard errors.
Kleyko and others, "Principled neuromorphic reservoir computing", Nature Communications 16, 640 (2025),
doi:10.1038/s41467-025-55832-y: Mackey-Glass, which the former do not treat.
"""

PAPER = "Gauthier et al. (2021)"
LATER = "Kleyko et al. (2025)"
WINDOWS = 10
"""Windows behind every printed mean of Gauthier et al."""

LORENZ, SCROLL, INFERENCE, MACKEY_GLASS = "Fig. 2", "Fig. 3", "Fig. 4", f"{LATER}, Fig. 3"
"""Where a number is printed."""

LORENZ_TRAINING, LORENZ_RUN = "1.06e-4±0.01e-4", "2.40e-3±0.53e-3"
SCROLL_RUN = "4.5e-3±1.0e-3"
INFERENCE_TRAINING, INFERENCE_TEST = "9.5e-3±0.1e-3", "1.75e-2±0.3e-2"
UNCHECKED = frozenset({LORENZ_RUN, SCROLL_RUN, INFERENCE_TRAINING, INFERENCE_TEST})
"""Numbers written down from memory of the captions, which were not at hand: shown beside ours, and not judged until
somebody has compared them with the page."""
LORENZ_FEATURES, SCROLL_FEATURES = 28, 62

MACKEY_GLASS_RUN = "3.59e-1"
"""Over three Lyapunov times, without a standard error or a number of runs."""
