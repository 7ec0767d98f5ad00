"""Sphinx configuration: `make docs` builds build/docs with warnings as errors."""

from ngrc import __version__

project = "ngrc"
author = "The ngrc developers"
release = __version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx.ext.viewcode", "numpydoc"]
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence"]
myst_heading_anchors = 3
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
html_theme = "furo"
html_title = f"ngrc {release}"
exclude_patterns = ["build"]
