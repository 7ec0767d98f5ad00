"""Sphinx configuration: `make docs` builds build/docs with warnings as errors."""

from ngrc import __version__

project = "ngrc"
author = "The ngrc developers"
copyright = f"2026, {author}"
release = __version__
extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.mathjax",
    "sphinx-mathjax-offline",
    "sphinx.ext.viewcode",
    "numpydoc",
]
myst_enable_extensions = ["dollarmath", "amsmath", "colon_fence"]
myst_heading_anchors = 3
numpydoc_show_class_members = False
numpydoc_class_members_toctree = False
autodoc_typehints = "signature"
autodoc_member_order = "bysource"
# One parameter per line where a signature would fill a paragraph.
python_maximum_signature_line_length = 90
html_theme = "furo"
# The theme's own underlines the names of modules, which then look like links.
pygments_dark_style = "github-dark"
html_title = f"ngrc {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
# A summary is fetched from the page it sums up, which a browser refuses where the site is opened as files.
html_show_search_summary = False
exclude_patterns = ["build"]


def escape_bars(app, what, name, obj, options, lines):  # noqa: D103
    # Docstrings write |e| for an absolute value; to reStructuredText that is a substitution.
    lines[:] = [line if ">>>" in line else line.replace("|", "\\|") for line in lines]


def setup(app):  # noqa: D103
    app.connect("autodoc-process-docstring", escape_bars, priority=900)
