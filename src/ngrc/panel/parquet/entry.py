"""`forecast_parquet`: from a folder of Parquet files to another, never all of it in one process."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ngrc._progress import tell
from ngrc.ahead import PathForecaster
from ngrc.ahead.calibrated import Band
from ngrc.intervals.base import IntervalMethod
from ngrc.panel.engines import Engine, as_engine
from ngrc.panel.layout import layout_of, tuple_of
from ngrc.panel.parquet.parts import WORK, Job, missing
from ngrc.panel.parquet.plan import Footer, Plan, Slab, plan_of, read_footers, slabs
from ngrc.panel.parquet.storage import Storage, exists, file_system
from ngrc.panel.task import Task
from ngrc.panel.work import Forecasting
from ngrc.validation import check_count

SUCCESS = "_SUCCESS"
"""File that says that a folder is complete, with the manifest in it; other tools look for it too, and skip it."""


@dataclass(frozen=True, slots=True)
class Manifest:
    """What was written.

    `rows` and `series` were answered, `failures` series were not: their ids and reasons are in the folder `_failures`.
    """

    partitions: int
    rows: int
    series: int
    failures: int
    shuffled: bool


def forecast_parquet(
    source: Any,
    out: Any,
    horizon: int = 1,
    *,
    engine: Any = None,
    jobs: int = 1,
    level: float | Sequence[float] = 0.95,
    model: PathForecaster | None = None,
    method: str | IntervalMethod | None = None,
    exog: Sequence[str] = (),
    known: Sequence[str] = (),
    id_col: str = "unique_id",
    time_col: str = "ds",
    target_col: str = "y",
    resample: bool = False,
    band: Band = "pointwise",
    smooth: bool | None = None,
    fit: float | None = None,
    refit_every: int | None = None,
    window: int | None = None,
    seed: int = 0,
    name: str = "NGRC",
    partitions: int | None = None,
    shuffle: bool | None = None,
    overwrite: bool = False,
) -> Manifest:
    """Forecast every series in a folder of Parquet files into another folder.

    Parameters
    ----------
    source, out
        Folders by path or address, which all workers can read and write.
    engine, jobs
        None for this process, or several with `jobs`; "joblib", "dask", "ray" or "spark"; a dask client; a Spark
        session. Which one never changes a bit of what is written.
    horizon, level, model, method, exog, id_col, time_col, target_col, resample, band, smooth, fit, refit_every, \
window, seed, name
        As of `forecasts`.
    known
        Columns that are known ahead; rows after a series' last outcome are its future.
    partitions
        How many partitions series are put into; by default one per 50,000 rows, and not many more than 2,000.
    shuffle
        Whether rows are first gathered by series. None: unless the ranges of ids in the files' footers show that no
        series stands in two of them, and no file is large. False: each file is a partition, and holds all rows of its
        series, which is not checked.
    overwrite
        Whether what another run left in `out` is removed. The same run goes on where it stopped.

    Returns
    -------
    Manifest
        Counts, which are also in `out/_SUCCESS`.
    """
    work = Forecasting(
        horizon=horizon, level=tuple_of(level), model=model, method=method, band=band, smooth=smooth, fit=fit,
        refit_every=refit_every, window=window, seed=seed, name=name,
    )  # fmt: skip
    task = Task(work, layout_of(id_col, time_col, target_col, exog, known), resample)
    return answer_parquet(
        source,
        out,
        task,
        engine=engine,
        jobs=jobs,
        partitions=partitions,
        shuffle=shuffle,
        overwrite=overwrite,
    )


def answer_parquet(
    source: Any,
    out: Any,
    task: Task,
    *,
    engine: Any = None,
    jobs: int = 1,
    partitions: int | None = None,
    shuffle: bool | None = None,
    overwrite: bool = False,
) -> Manifest:
    """Do any task for every series in a folder of Parquet files; parameters as of `forecast_parquet`."""
    if partitions is not None:
        check_count(partitions, "partitions")
        if shuffle is False:
            raise ValueError(
                "partitions are made by a shuffle, and shuffle=False was given; leave one of them out"
            )
    machine, origin, target = as_engine(engine, jobs), Storage.at(source), Storage.at(out)
    if f"{origin.address}/".startswith(f"{target.address}/") or f"{target.address}/".startswith(
        f"{origin.address}/"
    ):
        raise ValueError(
            f"out must not lie in the source or hold it, got {out!s} and {source!s}; name another folder"
        )
    footers = read_footers(origin, task.layout)
    plan = plan_of(task, footers, partitions, shuffle)
    finished = _settle(target, plan, overwrite)
    if finished is not None:
        return finished
    return _run(machine, target, plan, footers, task)


def _settle(out: Storage, plan: Plan, overwrite: bool) -> Manifest | None:
    """Look at what is there: this run, finished or not; another one; or something else."""
    success, begun = out.read_json(out.join(SUCCESS)), out.read_json(out.join(WORK, "plan.json"))
    stored = begun if success is None else success.get("plan")
    if stored == plan.plain():
        if success is None:
            return None
        # A run that was killed while it cleaned up.
        out.clear(WORK)
        return Manifest(**success["manifest"])
    system, path = file_system(out.address)
    if exists(path, system) and (stored is not None or out.listed()):
        if stored is None:
            raise ValueError(
                f"{out.address} holds files that no run of ours wrote; remove them, or name another folder"
            )
        if not overwrite:
            raise ValueError(
                f"{out.address} holds another run, or a run over files that have changed; name an empty folder, or "
                "give overwrite=True"
            )
        out.clear()
    out.write_json(out.join(WORK, "plan.json"), plan.plain())
    return None


def _run(engine: Engine, out: Storage, plan: Plan, footers: Sequence[Footer], task: Task) -> Manifest:
    pieces = slabs(footers) if plan.shuffled else ()
    job = Job(out, task, _schema(out, footers[0], task), plan.partitions, len(pieces))
    names = [job.slab_file(piece.number) for piece in pieces]
    waiting = [pieces[place] for place in missing(out.listed(WORK, "slabs"), names)]
    _followed(engine, job.gather, waiting, "files", len(pieces))
    done = [job.done_file(number) for number in range(plan.partitions)]
    left = missing(out.listed(WORK, "done"), done)
    if plan.shuffled:
        _followed(engine, job.answer_bucket, left, "partitions", plan.partitions)
    else:
        files = [Slab(number, footers[number].file, 0, len(footers[number].groups)) for number in left]
        _followed(engine, job.answer_file, files, "partitions", plan.partitions)
    return _publish(job, plan)


def _followed(
    engine: Engine, function: Callable[[Any], Any], items: Sequence[Any], stage: str, total: int
) -> None:
    """Map, and tell of each item that is done; those of an earlier run are done already."""
    for done, _ in enumerate(engine.map(function, items), start=total - len(items) + 1):
        tell(stage, done, total)


def _schema(out: Storage, footer: Footer, task: Task) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with out.read(footer.file) as stream:
        schema = pq.ParquetFile(stream).schema_arrow
    # Text that was coded by a dictionary is plain text in the files that are written.
    kinds = {name: schema.field(name).type for name in task.layout.names}
    plain = {name: getattr(kind, "value_type", kind) for name, kind in kinds.items()}
    return pa.schema(list(plain.items()))


def _publish(job: Job, plan: Plan) -> Manifest:
    """Give the finished parts their names, and say last that all are there."""
    counts = [job.out.read_json(job.done_file(number)) for number in range(plan.partitions)]
    for info in job.out.listed(WORK, "parts"):
        number = int(info.path.rpartition("part-")[2].removesuffix(".parquet"))
        job.out.move(job.part_file(number), job.part_file(number, final=True))
    for info in job.out.listed(WORK, "failures"):
        number = int(info.path.rpartition("part-")[2].removesuffix(".parquet"))
        job.out.move(job.failure_file(number), job.failure_file(number, final=True))
    sums = {name: sum(count[name] for count in counts) for name in ("rows", "series", "failures")}
    manifest = Manifest(plan.partitions, **sums, shuffled=plan.shuffled)
    job.out.write_json(job.out.join(SUCCESS), {"manifest": asdict(manifest), "plan": plan.plain()})
    job.out.clear(WORK)
    return manifest
