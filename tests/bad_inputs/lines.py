"""Lines that `ngrc stream` cannot take, and what it says of them."""

LINES: dict[str, tuple[bytes, str]] = {
    "a word": (
        b"1\n2\nx\n",
        "line 3: a value is a number such as 3.2 or -1e5, or NA where it is missing, got 'x'",
    ),
    "infinity": (
        b"1\ninf\n",
        "line 2: a value is a number such as 3.2 or -1e5, or NA where it is missing, got 'inf'",
    ),
    "a number too large": (
        b"1\n1e999\n",
        "line 2: a value must be finite, got '1e999'; write NA or null where it is missing",
    ),
    "cells too many": (
        b"1\n1,2,3\n",
        "line 2: a value is a number such as 3.2 or -1e5, or NA where it is missing, got '1,2,3'",
    ),
    "three cells without a header": (
        b"1,2,3\n",
        "line 1: expected value, or time,value, got 3 cells; a header with their names tells more apart",
    ),
    "JSON broken": (
        b'{"value": 1\n',
        'line 1: expected a JSON object such as {"time": "2026-01-09T08:00:00", "value": 3.2}, '
        "got '{\"value\": 1' (*)",
    ),
    "JSON without value": (
        b'{"time": 3}\n',
        "line 1: the key 'value' is not there; write null where it is missing",
    ),
    "JSON list": (
        b"[1]\n",
        'line 1: expected a JSON object such as {"time": "2026-01-09T08:00:00", "value": 3.2}, got \'[1]\'',
    ),
    "JSON word": (
        b'{"value": "x"}\n',
        "line 1: value must be a number, or null where it is missing, got '\"x\"'",
    ),
    "JSON true": (
        b'{"value": true}\n',
        "line 1: value must be a number, or null where it is missing, got 'true'",
    ),
    "JSON infinite": (
        b'{"value": 1e999}\n',
        "line 1: a value must be finite, got 'inf'; write NA or null where it is missing",
    ),
    "JSON NaN first": (
        b'{"value": NaN}\n',
        "line 1: the first observation of a series cannot be missing; send a number",
    ),
    "JSON key twice": (b'{"value":1,"value":2}\n', "line 1: the key 'value' stands twice in one object"),
    "JSON deep": (
        b'{"value":' + b"[" * 100000 + b"\n",
        'line 1: expected a JSON object such as {"time": "2026-01-09T08:00:00", "value": 3.2}, '
        "got one nested too deeply",
    ),
    "JSON digits without end": (
        b'{"value":' + b"1" * 5000 + b"}\n",
        'line 1: expected a JSON object such as {"time": "2026-01-09T08:00:00", "value": 3.2}, '
        "got '{\"value\":1111111111111111111111111111111'... (a number has too many digits)",
    ),
    "JSON among CSV": (
        b'1\n{"value": 2}\n',
        "line 2: a value is a number such as 3.2 or -1e5, or NA where it is missing, got '{\"value\": 2}'",
    ),
    "time backwards": (
        b"time,value\n5,1\n4,2\n",
        "line 2: the first observation has the index 0, got 5; count from 0, or write times as "
        "2026-01-31T13:00",
    ),
    "time twice": (
        b"time,value\n5,1\n5,2\n",
        "line 2: the first observation has the index 0, got 5; count from 0, or write times as "
        "2026-01-31T13:00",
    ),
    "not UTF-8": (b"1\n\xff\xfe\n", "line 2: the line is not UTF-8 (byte 1); write it in UTF-8"),
    "a zero byte": (b"1\n\0\n", "line 2: the line holds a NUL byte; text in UTF-8 is expected"),
    "a line without end": (
        b"1" * 1_000_001 + b"\n",
        "line 1: a line may have 1,000,000 bytes, and this one is longer; is it text by lines?",
    ),
    "a count of zero": (b'{"value": 1, "seq": 0}\n', "line 1: seq must be a whole number from 1, got '0'"),
    "a count that skips": (
        b'{"value": 1, "seq": 1}\n{"value": 1, "seq": 3}\n',
        "line 2: seq 3 is not the next, 2; without --state no earlier observation is known again",
    ),
    "a date that does not exist": (
        b"time,value\n2024-02-30,1\n",
        "line 2: a time is written as 2026-01-09T08:00:00 (ISO 8601) or as a whole number, got '2024-02-30'",
    ),
    "times of two kinds": (
        b"time,value\n2024-01-01,1\n7,2\n",
        "line 3: the times of this series are dates such as 2026-01-31, got 7; write them all in one way",
    ),
    "a header without a value": (
        b"a,b\n1,2\n",
        "line 2: the first observation has the index 0, got 1; count from 0, or write times as "
        "2026-01-31T13:00",
    ),
    "no time": (
        b"time,value\n,2\n",
        "line 2: a time is written as 2026-01-09T08:00:00 (ISO 8601) or as a whole number, got ''",
    ),
    "decimal commas": (
        b"1,5\n2,5\n",
        "line 1: the first observation has the index 0, got 1; count from 0, or write times as "
        "2026-01-31T13:00",
    ),
}
"""By name: what is sent, and the error."""
