"""The database's clock. Processes' own clocks are never compared with each other."""

from datetime import datetime

from django.db import connection
from django.db.models import DateTimeField, Func


class DatabaseNow(Func):
    """`clock_timestamp()`: moves on within a transaction, unlike `now()`."""

    function = "clock_timestamp"
    template = "%(function)s()"
    output_field = DateTimeField()


def now() -> datetime:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]
