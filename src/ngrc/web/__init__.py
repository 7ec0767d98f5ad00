"""Parts of a page that needs no other file: frame, style, script, tables, controls, and text that stays text."""

from ngrc.web.document import document
from ngrc.web.escaping import json_text, text
from ngrc.web.tables import Cell, Row, table

__all__ = ["Cell", "Row", "document", "json_text", "table", "text"]
