"""Write the nets anew: `python -m tests.nets.update [--checks RESULTS]`.

RESULTS is what `ngrc reproduce TARGET ... --quick --out RESULTS` left; without it the rows of `checks.json` stay.
"""

import argparse
import json
import tempfile
from pathlib import Path

from tests.nets import judged, outputs, surface

HERE = Path(__file__).parent
NAMES, COMMANDS, OUTPUTS = HERE / "names.txt", HERE / "commands.txt", HERE / "outputs.json"


def main() -> None:
    """Everything, or what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--checks", type=Path, help="folder of results of `ngrc reproduce --quick`")
    results = parser.parse_args().checks
    NAMES.write_text(surface.names(), "utf-8")
    COMMANDS.write_text(surface.commands(), "utf-8")
    with tempfile.TemporaryDirectory() as folder:
        made = outputs.all_outputs(Path(folder))
    OUTPUTS.write_text(json.dumps(made, indent=1, ensure_ascii=False) + "\n", "utf-8")
    if results is not None:
        judged.FOLDER.mkdir(exist_ok=True)
        for path in sorted(results.glob("*/checks.json")):
            rows = judged.rows_of(results, path.parent.name)
            (judged.FOLDER / f"{path.parent.name}.tsv").write_text("\n".join(rows) + "\n", "utf-8")


if __name__ == "__main__":
    main()
