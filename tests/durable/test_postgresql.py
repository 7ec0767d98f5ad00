"""A PostgreSQL server that ends connections, restarts, crashes, or serves somebody else as well."""

import signal
from typing import Any

import pytest
import sqlalchemy as sa

from ngrc.durable import ConflictError, LockedError, LostSeriesError, Observation, Session, Store, StoreError
from tests.durable.kit import facts, forecaster, session, told, wave
from tests.durable.postgresql import Server

VALUES = wave(90)
END = "select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'ngrc%'"


@pytest.fixture(scope="module")
def never_stopped(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    return [facts(one) for one in told(str(tmp_path_factory.mktemp("whole") / "s.db"), VALUES)]


def _goes_on(one: Session, first: int, never_stopped: list[Any]) -> None:
    said = [facts(one.take("x", Observation(value))) for value in VALUES[first:]]
    assert said == never_stopped[first:]
    one.commit()
    assert [facts(reply) for reply in one.store.recent("x", 1000)] == never_stopped
    one.store.verify_all()
    one.close()


def _begun(database: str, count: int = 70) -> Session:
    one = session(database)
    for value in VALUES[:count]:
        one.take("x", Observation(value))
    return one


def test_a_connection_that_is_ended_is_made_anew(
    postgresql: Server, database: str, never_stopped: list[Any]
) -> None:
    one = _begun(database)
    one.commit()
    one.take("x", Observation(VALUES[70]))
    postgresql.sql(database, END)
    with pytest.raises(StoreError, match=r"the server ended the connection|no connection") as caught:
        one.commit()
    assert caught.value.temporary
    one.commit()
    # The lock is held again.
    with Session(Store.open(database)) as other, pytest.raises(LockedError):
        other.latest("x")
    _goes_on(one, 71, never_stopped)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGQUIT])
def test_a_server_that_is_restarted_is_waited_for(
    postgresql: Server, database: str, never_stopped: list[Any], how: signal.Signals
) -> None:
    one = _begun(database)
    one.commit()
    one.take("x", Observation(VALUES[70]))
    postgresql.stop(how)
    try:
        for _ in range(2):
            with pytest.raises(StoreError) as caught:
                one.commit()
            assert caught.value.temporary
            assert "\n" not in str(caught.value)
        with pytest.raises(StoreError, match=r"cannot read .*no connection") as caught:
            one.store.recent("x")
        assert caught.value.temporary
    finally:
        postgresql.start()
    one.commit()
    _goes_on(one, 71, never_stopped)


def test_a_commit_whose_answer_was_lost_is_recognised(
    postgresql: Server, database: str, never_stopped: list[Any]
) -> None:
    one = _begun(database)
    writer = one.store.writer

    def cut_off(connection: sa.Connection) -> None:
        # The commit reaches the server, its answer never comes: the connection is closed behind it.
        raw = connection.connection.dbapi_connection
        assert raw is not None
        raw.commit()
        postgresql.sql(database, END)
        raw.cursor().execute("select 1")

    sa.event.listen(writer._engine, "commit", cut_off)
    with pytest.raises(StoreError) as caught:
        one.commit()
    assert caught.value.temporary
    sa.event.remove(writer._engine, "commit", cut_off)
    assert postgresql.sql(database, "select count(*) from observations") == "70"
    one.commit()
    assert postgresql.sql(database, "select count(*) from observations") == "70"
    _goes_on(one, 70, never_stopped)


def test_rows_of_another_writer_are_noticed_after_a_lost_connection(
    postgresql: Server, database: str
) -> None:
    one = _begun(database)
    one.commit()
    one.take("x", Observation(VALUES[70]))
    postgresql.sql(database, END)
    with session(database) as other:
        other.take("x", Observation(5.0))
        other.commit()
        for words in (
            "the server ended the connection|no connection",
            "another process .* writes to the series 'x'",
        ):
            with pytest.raises(StoreError, match=words):
                one.commit()
    with pytest.raises(
        StoreError, match="another process has written to it meanwhile; start again"
    ) as caught:
        one.commit()
    assert not caught.value.temporary
    one.close()
    assert postgresql.sql(database, "select value from observations where seq = 71") == "5"


def test_series_are_locked_one_by_one(database: str) -> None:
    with session(database, name="a") as one, session(database, name="b") as two:
        one.take("a", Observation(1.0))
        two.take("b", Observation(2.0))
        one.commit()
        two.commit()
        with pytest.raises(
            LockedError, match=r"another process \(ngrc, process \d+ on .*\) writes to the series 'b'"
        ):
            one.take("b", Observation(1.0))
        assert one.names() == ("a", "b")
        two.close()
        assert one.take("b", Observation(2.0)).seq == 2


def test_two_that_create_at_once_agree(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with Session(Store.open(database)) as one, Session(Store.open(database)) as two:
        # The second looks before the first has written, and meets its series on the way.
        monkeypatch.setattr("ngrc.durable.creation.read_series", lambda *_: None)
        one.create("x", forecaster(), 60)
        one.store.writer._drop()
        two.create("x", forecaster(), 60)
        with pytest.raises(
            ConflictError, match="there is a series 'x' with a history of 60 observations, got 61"
        ):
            two.create("x", forecaster(), 61)
        assert two.names() == ("x",)


def test_tables_of_others_are_left_alone(postgresql: Server, database: str) -> None:
    postgresql.sql(database, "create table photographs (id integer)")
    told(database, VALUES[:5])
    other = postgresql.create_database()
    postgresql.sql(other, "create table observations (id integer)")
    for write in (True, False):
        with pytest.raises(StoreError, match="it has a table 'observations' that ngrc did not make"):
            Store.open(other, write=write)
    postgresql.sql(database, "update ngrc_state set version = 2")
    with pytest.raises(StoreError, match="its tables have version 2, and this ngrc knows 1; update ngrc"):
        Store.open(database)
    with pytest.raises(StoreError, match="its tables have version 0"):
        Store.open(postgresql.create_database(), write=False)


def test_another_schema_has_a_state_of_its_own(postgresql: Server, database: str) -> None:
    postgresql.sql(database, "create table observations (id integer); create schema readings")
    told(f"{database}&options=-csearch_path%3Dreadings", VALUES[:5])
    assert postgresql.sql(database, "select count(*) from readings.observations") == "5"


def test_series_of_two_schemas_have_locks_of_their_own(postgresql: Server, database: str) -> None:
    postgresql.sql(database, "create schema a; create schema b")
    first, second = (f"{database}&options=-csearch_path%3D{name}" for name in "ab")
    with session(first) as one, session(second) as two:
        for each in (one, two):
            each.take("x", Observation(1.0))
            each.commit()
        with (
            Session(Store.open(second)) as three,
            pytest.raises(LockedError, match=r"\(ngrc, process \d+ on"),
        ):
            three.latest("x")


def test_a_series_that_was_taken_over_is_lost_and_the_others_go_on(
    postgresql: Server, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with session(database, name="x") as one:
        one.create("y", forecaster(), 60)
        postgresql.sql(database, END)
        with session(database, name="x") as other:
            other.take("x", Observation(5.0))
            other.commit()
            one.take("x", Observation(1.0))
            one.take("y", Observation(2.0))
            for _ in range(3):
                with pytest.raises(StoreError) as caught:
                    one.commit()
                assert caught.value.temporary
            monkeypatch.setattr("ngrc.durable.writer.PATIENCE", 0.0)
            with pytest.raises(
                LostSeriesError,
                match=r"cannot go on with the series 'x' in .*another process .*; start again",
            ) as lost:
                one.commit()
            assert not lost.value.temporary
            assert list(lost.value.reasons) == ["x"]
            assert one.store.summary("y").count == 1
            one.take("y", Observation(3.0))
            one.commit()
            with pytest.raises(StoreError, match="'x' is lost in memory; start again"):
                one.take("x", Observation(1.0))
    assert postgresql.sql(database, "select value from observations where series = 1") == "5"
    assert postgresql.sql(database, "select count(*) from observations where series = 2") == "2"


def test_a_password_is_never_said(postgresql: Server, database: str) -> None:
    for address in (
        f"postgresql://ada:sec%20ret@/nowhere?host={postgresql.folder}",
        f"postgresql://ada@/nowhere?host={postgresql.folder}&password=sec%20ret",
        "postgresql://ada:sec%20ret@127.0.0.1:1/nowhere",
    ):
        with pytest.raises(StoreError, match="cannot open postgresql://ada") as caught:
            Store.open(address)
        assert "sec ret" not in str(caught.value)
        assert "sec%20ret" not in str(caught.value)
        assert "\n" not in str(caught.value)


def test_altered_rows_are_found(postgresql: Server, database: str) -> None:
    told(database, VALUES)
    postgresql.sql(database, "update observations set value = value + 1e-9 where seq = 80")
    with Session(Store.open(database)) as one, pytest.raises(StoreError, match="observation 80 were altered"):
        one.latest("x")


def test_a_commit_is_synced_whatever_the_server_says(postgresql: Server, database: str) -> None:
    name = database.partition("?")[0].rpartition("/")[2]
    postgresql.sql(database, f"alter database {name} set synchronous_commit = off")
    with session(database) as one:
        found = one.store.writer._connected().exec_driver_sql("show synchronous_commit").scalar()
    assert found == "on"


def test_a_server_that_takes_no_writes_is_waited_for(postgresql: Server, database: str) -> None:
    name = database.partition("?")[0].rpartition("/")[2]
    with session(database) as one:
        postgresql.sql(database, f"alter database {name} set default_transaction_read_only = on")
        one.store.writer._drop()
        one.take("x", Observation(1.0))
        with pytest.raises(StoreError, match="it takes no writes at present") as caught:
            one.commit()
        assert caught.value.temporary
        other = postgresql.create_database()
        postgresql.sql(other, f"alter database {name} set default_transaction_read_only = off")
        one.commit()
        assert one.store.summary("x").count == 1


def test_a_database_without_an_encoding_holds_text_of_any(
    postgresql: Server, never_stopped: list[Any]
) -> None:
    database = postgresql.create_database("SQL_ASCII")
    assert [facts(one) for one in told(database, VALUES[:70])] == never_stopped[:70]
    with session(database, "größe 風") as one:
        one.take("größe 風", Observation(1.0))
        one.commit()
    with session(database, "größe 風") as one:
        assert one.names() == ("größe 風", "x")
        assert one.take("größe 風", Observation(2.0)).seq == 2
        assert facts(one.take("x", Observation(VALUES[70]))) == never_stopped[70]
        assert one.store.summary("größe 風").count == 1
        one.store.verify_all()


def test_a_name_that_the_encoding_of_the_database_does_not_have_is_one_line(postgresql: Server) -> None:
    with Session(Store.open(postgresql.create_database("LATIN1"))) as one:
        one.create("größe", forecaster(), 50)
        with pytest.raises(StoreError, match='has no equivalent in encoding "LATIN1"') as caught:
            one.create("風", forecaster(), 50)
        assert "\n" not in str(caught.value)
        assert one.names() == ("größe",)
