"""A folder of Parquet files to another, partition by partition, on any engine."""

from ngrc.panel.parquet.entry import Manifest, answer_parquet, forecast_parquet

__all__ = ["Manifest", "answer_parquet", "forecast_parquet"]
