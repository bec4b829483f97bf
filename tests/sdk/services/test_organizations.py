import pytest

from llm_benchmark.errors import NotFound
from tests.sdk.document import EXAMPLES, example, schemas
from tests.sdk.stub import Stub

GIVEN = example(schemas()["Organization"])


def page(*slugs):
    return {"items": [{**GIVEN, "slug": slug} for slug in slugs], "next_page_token": ""}


class TestGet:
    def test_takes_an_id(self):
        stub = Stub(GIVEN)

        stub.client.organizations.get(EXAMPLES["uuid"])

        assert stub.requests[0].url.path.endswith(EXAMPLES["uuid"])

    def test_takes_the_slug_of_an_own_one(self):
        assert Stub(page("a", "b")).client.organizations.get("b").slug == "b"

    @pytest.mark.parametrize(("own", "named"), [(("a", "b"), "Yours: a, b"), ((), "Yours: none")])
    def test_names_the_own_ones_where_it_is_none_of_them(self, own, named):
        with pytest.raises(NotFound, match=f"do not belong to an organization 'c'. {named}"):
            Stub(page(*own)).client.organizations.get("c")
