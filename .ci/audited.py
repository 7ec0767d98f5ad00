"""What pip-audit wrote, in words: weaknesses fail, packages that could not be looked up are counted aloud."""

import json
import sys
from pathlib import Path

# Known and of no effect here, each with its reason: {"PYSEC-2026-1": "we never call that function"}.
EXPLAINED: dict[str, str] = {}


def main() -> int:
    """0 where nothing is known against any package, or nothing could be looked up; 1 where something is."""
    text = Path(sys.argv[1]).read_text(encoding="utf-8")
    if not text.strip():
        print(
            "audit: NOT LOOKED UP: pip-audit reached no list of weaknesses; run this where there is a network"
        )
        return 0
    packages = json.loads(text)["dependencies"]
    looked = [package for package in packages if "vulns" in package]
    open_ones = [
        f"{package['name']} {package['version']}: {one['id']}, mended in {one['fix_versions'] or 'no release'}"
        for package in looked
        for one in package["vulns"]
        if one["id"] not in EXPLAINED
    ]
    for line in open_ones:
        print(f"audit: {line}")
    missed = len(packages) - len(looked)
    if not looked:
        print(
            f"audit: NOT LOOKED UP: none of {missed} packages was found in a list of weaknesses; is there a network?"
        )
    else:
        print(f"audit: {len(looked)} packages looked up, {len(open_ones)} weaknesses, {missed} not listed")
    return 1 if open_ones else 0


if __name__ == "__main__":
    sys.exit(main())
