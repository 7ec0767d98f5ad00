"""Build the extension `ngrc._kernels._extension` from `src/kernels`; all else about the package is in `pyproject.toml`.

The compiler is $CXX, or the first of c++, g++ and clang++, or the one in the package `ziglang`, which is asked for
where none of these is installed. On Windows it is Microsoft's.
"""

import importlib.util
import os
import shlex
import shutil
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

KERNELS = Path("src") / "kernels"
# The same bits on every machine: no fused multiply-add, no reordered sums, no instructions that only this processor
# has. Neither errno nor floating-point traps are read, so that loops with square roots and comparisons can be
# vectorised.
UNIX_FLAGS = ["-std=c++17", "-O3", "-fvisibility=hidden", "-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math",
              "-ffunction-sections", "-fdata-sections", "-Wall", "-Wextra", "-Wno-missing-field-initializers",
              "-g0"]  # fmt: skip
MSVC_FLAGS = ["/std:c++17", "/O2", "/fp:precise", "/EHsc", "/W3"]


def system_compiler() -> str | None:
    """The C++ compiler that the environment names or that is installed."""
    return os.environ.get("CXX") or next(filter(None, map(shutil.which, ("c++", "g++", "clang++"))), None)


def read_included(path: Path) -> list[Path]:
    """The source and the headers that the compiler listed in `path`, a rule of make; empty where it listed none."""
    if not path.exists():
        return []
    rule = path.read_text(encoding="utf-8").replace("\\\n", " ")
    return [Path(name) for name in shlex.split(rule.partition(": ")[2])]


def is_stale(target: Path, included: list[Path], own: bool) -> bool:
    """Whether an object must be compiled: it or its list is missing, or something that it was made from is newer."""
    if not included or not all(path.exists() for path in [target, *included]):
        return True
    # The flags of our own sources are in this file.
    made_from = [*included, Path(__file__)] if own else included
    return target.stat().st_mtime_ns <= max(path.stat().st_mtime_ns for path in made_from)


class BuildKernels(build_ext):
    """Compile the sources side by side, and only those that are older than what they include."""

    def finalize_options(self) -> None:
        """Name the folder of the objects."""
        super().finalize_options()
        # One folder for all builds with the same interpreter and libraries, whatever pip names for this one: what has
        # not changed is not compiled again.
        import nanobind
        import numpy

        interpreter = sysconfig.get_config_var("SOABI") or sysconfig.get_platform()
        versions = f"{nanobind.__version__}-{numpy.__version__}"
        self.build_temp = str(Path("build") / f"kernels-{interpreter}-{versions}")

    def build_extensions(self) -> None:
        """Build with the compiler that was found."""
        if self.compiler.compiler_type == "unix":
            self._choose_compiler()
        super().build_extensions()

    def _choose_compiler(self) -> None:
        compiler = system_compiler()
        if compiler is None and importlib.util.find_spec("ziglang"):
            compiler = f"{sys.executable} -m ziglang c++"
        if compiler is None:
            sys.exit("ngrc: error: a C++ compiler is needed to install ngrc from source, and there is none; install "
                     "g++ or clang++ (Debian: apt-get install g++), or pip install ziglang, and try again")  # fmt: skip
        linker = [*compiler.split(), "-shared"]
        if sys.platform == "darwin":
            linker += ["-undefined", "dynamic_lookup"]
        self.compiler.set_executables(
            compiler_so=[*compiler.split(), "-fPIC"],
            compiler_so_cxx=[*compiler.split(), "-fPIC"],
            linker_so=linker,
            linker_so_cxx=linker,
        )

    def build_extension(self, ext: Extension) -> None:
        """Compile what is stale, and link."""
        import nanobind
        import numpy

        core = Path(nanobind.source_dir())
        robin_map = str(core.parent / "ext" / "robin_map" / "include")
        include = [str(KERNELS), nanobind.include_dir(), numpy.get_include(), robin_map]
        unix = self.compiler.compiler_type == "unix"
        macros = [
            ("NPY_NO_DEPRECATED_API", "NPY_2_0_API_VERSION"),
            ("NDEBUG", None),
            ("NB_COMPACT_ASSERTIONS", None),
        ]
        if sysconfig.get_config_var("Py_GIL_DISABLED"):
            macros.append(("NB_FREE_THREADED", None))
        Path(self.build_temp).mkdir(parents=True, exist_ok=True)

        def compiled(source: Path) -> str:
            own = source.is_relative_to(KERNELS)
            target = Path(self.build_temp) / f"{source.stem}{self.compiler.obj_extension}"
            included = target.with_suffix(".d")
            if not is_stale(
                target, read_included(included) if unix else [source, *KERNELS.rglob("*.hpp")], own
            ):
                return str(target)
            if unix:
                flags = [
                    *UNIX_FLAGS,
                    *([] if own else ["-fno-strict-aliasing"]),
                    "-MMD",
                    "-MF",
                    str(included),
                ]
            else:
                flags = MSVC_FLAGS
            made = self.compiler.compile(
                [str(source)],
                macros=macros,
                include_dirs=[*include, *self.include_dirs],
                extra_postargs=flags,
            )
            shutil.move(made[0], target)
            return str(target)

        with ThreadPoolExecutor(os.cpu_count()) as workers:
            objects = list(workers.map(compiled, [*map(Path, ext.sources), core / "nb_combined.cpp"]))
        stripped = ["-Wl,-s", "-Wl,--gc-sections"] if sys.platform.startswith("linux") else []
        self.compiler.link_shared_object(objects, self.get_ext_fullpath(ext.name), extra_postargs=stripped)


if sys.platform != "win32" and system_compiler() is None:
    print(
        "ngrc: no C++ compiler (c++, g++, clang++) is installed; using the one in the package ziglang",
        file=sys.stderr,
    )
    NEEDED = ["ziglang"]
else:
    NEEDED = []

setup(
    ext_modules=[Extension("ngrc._kernels._extension", sorted(map(str, KERNELS.glob("*.cpp"))))],
    cmdclass={"build_ext": BuildKernels},
    setup_requires=NEEDED,
)
