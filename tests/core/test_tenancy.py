import pytest
from django.db import connection

pytestmark = pytest.mark.django_db


def test_tests_run_as_the_application_role():
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper, rolbypassrls, rolcreatedb FROM pg_roles WHERE rolname = current_user"
        )
        assert cursor.fetchone() == (False, False, False)
