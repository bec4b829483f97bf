"""What a scrape of `/metrics` costs on a large database: `make bench-metrics`.

100,000 runs, a million attempts and 100,000 audit entries, with every window fuller than its bound.
"""

import os
import statistics
import time

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "exchange.settings.test")
DATABASE = "bench_metrics"
RUNS, QUEUED, RECENT, DEAD = 100_000, 1000, 12_000, 100
SCRAPES = 20
_RUNS = """
INSERT INTO runs_run ({columns}) SELECT {values} FROM runs_run CROSS JOIN generate_series(1, {runs}) AS n"""
_ATTEMPTS = """
INSERT INTO runs_attempt (run_id, fence, purpose, key, number, status, error)
SELECT run.id, 1, 'question', 'q', n, CASE WHEN run.status = 'running' THEN 'sent' ELSE 'settled' END, ''
FROM runs_run AS run CROSS JOIN generate_series(1, 10) AS n"""
_ENTRIES = """
INSERT INTO core_auditentry (sequence, event_id, kind, facts, occurred_at, previous_digest, digest)
SELECT 1000000 + n, gen_random_uuid(), 'bench.kind_' || n % 40,
       jsonb_build_object('text', repeat('x', 300)), now() - make_interval(secs => (100000 - n) / 100.0),
       repeat('0', 64), lpad(n::text, 64, '0')
FROM generate_series(1, 100000) AS n"""


def main():
    from exchange import embedded
    from tests.bench.ledger import STATE

    servers = embedded.start(STATE)
    try:
        _use(servers.environment())
        _measure()
    finally:
        servers.stop()


def _use(addresses):
    import django
    import psycopg

    owner = addresses["DATABASE_OWNER_URL"]
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute(f"DROP DATABASE IF EXISTS {DATABASE} WITH (FORCE)")
        connection.execute(f"CREATE DATABASE {DATABASE}")
    url = f"{owner.rpartition('/')[0]}/{DATABASE}"
    os.environ.update(addresses | {"DATABASE_URL": url, "DATABASE_OWNER_URL": url})
    django.setup()


def _measure():
    from django.core.management import call_command
    from django.db import connection

    from exchange.operate.metrics import collecting

    call_command("migrate", verbosity=0)
    print(f"metrics_empty_ms={_milliseconds(collecting.text):.0f}")
    with connection.cursor() as cursor:
        _fill(cursor)
    print(f"metrics_full_ms={_milliseconds(collecting.text):.0f}")
    with connection.cursor() as cursor:
        for name, milliseconds in sorted(_each(cursor).items(), key=lambda item: -item[1]):
            print(f"  {name}: {milliseconds:.1f} ms")
    connection.close()


def _fill(cursor):
    from submissions.runs.models import Run
    from tests.factories.runs import RunFactory

    RunFactory()
    changed = {
        "id": "gen_random_uuid()",
        "status": f"""CASE WHEN n <= {QUEUED} THEN 'queued' WHEN n = {QUEUED} + 1 THEN 'running'
                      WHEN n <= {QUEUED} + {DEAD} THEN 'dead' ELSE 'succeeded' END""",
        "lease_until": f"CASE WHEN n = {QUEUED} + 1 THEN now() END",
        "fault_side": "'platform'",
        "started_at": f"CASE WHEN n > {QUEUED} THEN now() - interval '1 day' END",
        "finished_at": f"""CASE WHEN n > {RUNS} - {RECENT} THEN now() - interval '1 minute'
                           WHEN n > {QUEUED} + 1 THEN now() - interval '1 day' END""",
        "snapshot": "jsonb_build_object('text', repeat('x', 1500))",
    }
    columns = [field.column for field in Run._meta.local_fields]
    values = [changed.get(name, name) for name in columns]
    cursor.execute(_RUNS.format(columns=", ".join(columns), values=", ".join(values), runs=RUNS))
    cursor.execute(_ATTEMPTS)
    cursor.execute(_ENTRIES)
    cursor.execute("VACUUM ANALYZE")


def _milliseconds(act):
    """The median of some."""
    return statistics.median(_took(act) for _ in range(SCRAPES))


def _took(act):
    began = time.perf_counter()
    act()
    return (time.perf_counter() - began) * 1000


def _each(cursor):
    """What each statement takes."""
    from exchange.operate.metrics import questions, statements

    names = {text: name.lower() for name, text in vars(statements).items() if name.isupper()}
    found = {}

    def ask(statement, **values):
        found[names[statement]] = _took(lambda: cursor.execute(statement, values))
        return cursor.fetchall()

    list(questions.all_of(ask))
    return found


if __name__ == "__main__":
    main()
