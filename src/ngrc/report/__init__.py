"""One series on one page: a record of plain values, and the page drawn from it."""

from ngrc.report.entry import make_report, report_on
from ngrc.report.record import Record
from ngrc.report.value import Report

__all__ = ["Record", "Report", "make_report", "report_on"]
