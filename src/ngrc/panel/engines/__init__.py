"""Engines: each maps a function over items, in this process or elsewhere, and gives results as they finish."""

from typing import Any

from ngrc.panel.engines.base import Engine
from ngrc.panel.engines.local import Local
from ngrc.panel.engines.processes import Processes

ENGINES = ("local", "joblib", "dask", "ray", "spark")
"""Names of engines."""

__all__ = ["ENGINES", "Engine", "Local", "Processes", "as_engine"]


def as_engine(engine: Any = None, jobs: int = 1) -> Engine:
    """The engine that is meant by a name, a client or a session.

    Parameters
    ----------
    engine
        None: this process for one job, else `joblib`. A name out of `ENGINES`; a `dask.distributed` client; a Spark
        session; or an engine.
    jobs
        Processes of `joblib`; -1 for one per core.

    Examples
    --------
    >>> as_engine("local")
    Local()
    """
    if engine is None:
        return Local() if jobs == 1 else Processes(jobs)
    if isinstance(engine, str):
        return _by_name(engine, jobs)
    library = type(engine).__module__.partition(".")[0]
    # Before the look for a `map`, which clients of Dask have too, and mean something else by it.
    if library in ("distributed", "pyspark"):
        return _of_cluster(library, engine)
    if isinstance(engine, Engine):
        return engine
    raise ValueError(
        f"engine must be one of {', '.join(ENGINES)}, a dask client or a Spark session, got {engine!r}"
    )


def _by_name(name: str, jobs: int) -> Engine:
    if name == "local":
        return Local()
    if name == "joblib":
        return Processes(jobs)
    if name == "ray":
        from ngrc.panel.engines.ray import Ray

        return Ray()
    if name == "dask":
        return _of_cluster("distributed", None)
    if name == "spark":
        return _of_cluster("pyspark", None)
    raise ValueError(f"engine must be one of {', '.join(ENGINES)}, got {name!r}")


def _of_cluster(library: str, client: Any) -> Engine:
    if library == "distributed":
        from ngrc.panel.engines.dask import Dask

        return Dask(client)
    from ngrc.panel.engines.spark import Spark

    return Spark(client)
