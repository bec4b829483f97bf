import pytest

from . import fences, session

pytestmark = [pytest.mark.sockets, pytest.mark.timeout(300)]
DOCUMENTS = {document.name: document for document in fences.documents()}


@pytest.fixture(params=DOCUMENTS)
def document(request):
    return DOCUMENTS[request.param]


class TestDocument:
    def test_has_examples_that_somebody_runs(self, document):
        assert document.problems == []

    def test_prints_what_it_says_it_prints(self, document, world, tmp_path):
        wrong = session.run(document, tmp_path, world.places(), world.stack.env)
        assert not wrong, wrong

    def test_says_why_an_example_is_not_run(self, document, capsys):
        with capsys.disabled():
            print("", *document.left_out, sep="\n  not run: ", end="")
        assert all(len(reason.split()) > 2 for reason in document.left_out)
