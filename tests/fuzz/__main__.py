"""`python -m tests.fuzz --seconds 300`: every target in turn, for as long as is asked; what fails is kept in a file.

Each target has a process of its own, so that one that dies (an abort in a compiled library, memory that is refused)
is a finding as well, with the input that it died of.
"""

import argparse
import random
import subprocess
import sys
import time
from pathlib import Path

from tests.fuzz.mutation import mutants

FOLDER = Path("build/fuzz")


def main() -> int:
    """Run the targets; the exit code is the number of those that failed."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("targets", nargs="*", help="some of them; all by default")
    parser.add_argument("--seconds", type=float, default=60.0, help="for all of them together")
    parser.add_argument("--seed", type=int, default=None, help="as an earlier run printed it")
    parser.add_argument("--replay", type=Path, help="one file that was kept, for one target")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    from tests.fuzz.targets import TARGETS

    names = options.targets or list(TARGETS)
    if options.replay:
        return _replay(names[0], options.replay)
    seed = random.SystemRandom().randrange(2**32) if options.seed is None else options.seed
    if options.here:
        return _fuzz(names[0], options.seconds, seed)
    print(f"seed {seed}", flush=True)
    return sum(_apart(name, options.seconds / len(names), seed) for name in names)


def _apart(name: str, seconds: float, seed: int) -> bool:
    """Whether a target failed, in a process of its own."""
    words = [
        sys.executable,
        "-m",
        "tests.fuzz",
        name,
        "--here",
        "--seconds",
        str(seconds),
        "--seed",
        str(seed),
    ]
    code = subprocess.run(words).returncode
    if code not in (0, 1):
        print(f"{name}: the process died ({code}); its last input is {FOLDER / name}.last", flush=True)
    return code != 0


def _fuzz(name: str, seconds: float, seed: int) -> int:
    from tests.fuzz.rules import judge
    from tests.fuzz.targets import TARGETS
    from tests.fuzz.wording import DefectError

    target = TARGETS[name]
    FOLDER.mkdir(parents=True, exist_ok=True)
    rng = random.Random(f"{seed} {name}")
    found: dict[str, Path] = {}
    seeds = target.seeds()
    # What is loaded and compiled on first use does not count.
    judge(target.call, seeds[0])
    stop, count, refused = time.monotonic() + seconds, 0, 0
    for data in mutants(seeds, target.tokens, rng):
        if time.monotonic() > stop:
            break
        (FOLDER / f"{name}.last").write_bytes(data)
        count += 1
        try:
            refused += judge(target.call, data) is not None
        except DefectError as defect:
            # Many inputs show one defect: the first few words of it are kept once.
            said = " ".join(str(defect).split())
            if said[:60] not in found:
                path = found[said[:60]] = FOLDER / f"{name}-{seed}-{count}"
                path.write_bytes(data)
                print(f"{name}: {said[:400]}\n    kept as {path}", flush=True)
    (FOLDER / f"{name}.last").unlink(missing_ok=True)
    print(f"{name}: {count} inputs, {refused} refused, {len(found)} defects", flush=True)
    return 1 if found else 0


def _replay(name: str, path: Path) -> int:
    from tests.fuzz.rules import judge
    from tests.fuzz.targets import TARGETS

    print(judge(TARGETS[name].call, path.read_bytes()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
