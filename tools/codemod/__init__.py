"""A codemod for the refactor of issue 25: modules into three parts, new names, fewer files.

The folder is deleted when the refactor is done, with `libcst` and the line for it in pyproject.toml.

Commands, in the order of the steps; each is followed by tests, a review of what it printed, and a commit:

  plan       Does the plan fit the source? Modules without a place, rows that name nothing (exit code 1); then sizes and
             circular imports of the new tree. Run it after every merge of other work.
  parts      Step 1, parts.toml: `study`, `datasets` and baselines to `ngrc.paper`; `durable`, `stream` and `serve` to
             `ngrc.service`; their tests. Moves only.
  renames    Step 2, renames.txt: the glossary. `--group stream classes` takes some groups; a group is a commit.
             Run it before `moves`: afterwards some old module names belong to other modules.
  moves      Step 3, tree.txt and final.toml: moves and merges. `--only 'ngrc.readout.*'` takes a part of them.
  format     Sort imports, remove unused ones, format. The three steps do it too.
  leftovers  Mentions of modules that are gone.

A step rewrites every tracked text file: source, tests, mutants, docs, the Makefile. CHANGELOG.md, the files of
tests/nets and this folder stay as they are. Moves are made by `git mv` and not committed. Reports for a person are
printed. For a trial, commit first and use a clone: `git clone . ../trial`, then `parts --root ../trial`.
The cache of mypy is in build/codemod.

How it was tried, on scratch trees of 0.4.0 with an earlier version of this folder:

  parts                            2371 passed, 50 skipped, 2 failed: the net of public names, as expected, and a test
                                   of fingerprints. The plan was corrected for the second; it was not seen to pass.
  renames --group stream classes   4406 passed, 1 failed: the net of public names, as expected.
  moves, the whole plan            386 files; imports 10.8 % of code; median 116 code lines; 3 files above 450 lines.
                                   378 modules import, 7 do not. 29 clashes. No tests were run.

This version, on a clone of dec9610, without tests but for tests/test_imports.py after `parts` (26 passed): `parts`
leaves no findings of `ruff check` in the tree and no leftovers. `renames --group stream` runs. `parts` and then `moves`
give 386 files, imports 10.7 %, median 116, 3 files above 450 lines, 29 clashes, and 31 findings of `ruff check`.

What is missing:

- 29 clashes of names in merged files. A CLASH is printed and the file is written anyway: the later definition wins
  silently. Rename one of the two first, or merge less. `moves` ends with exit code 1 while there are any.
- Rows `member` and `param` (they need types from mypy) are untried on this tree; a toy package of two files worked.
- Deprecated aliases of public names are not made.
- Imports are 10.7 to 10.8 % of code; the goal is 9 %.
- Printed tables of the paper do not become data; that is work by hand.

Risks:

- A renamed field of a class in archive/kinds.py changes a key in saved files. It needs an upgrade of the state, so that
  files of 0.3.0 load. A renamed class keeps its name in files; its address in kinds.py follows.
- Moved baselines change the fingerprints under which forecasts are cached.
"""
