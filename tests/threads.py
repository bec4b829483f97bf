"""Calls at the same time, each with a connection of its own. Needs `django_db(transaction=True)`."""

import threading

from django.db import connection


def together(*calls):
    """What each call returned, or raised. They start when all threads are there."""
    barrier, brought = threading.Barrier(len(calls)), [None] * len(calls)

    def act(index, call):
        try:
            barrier.wait()
            brought[index] = call()
        except Exception as error:  # noqa: BLE001  what it raised is what it brought
            brought[index] = error
        finally:
            connection.close()

    threads = [threading.Thread(target=act, args=item) for item in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return brought
