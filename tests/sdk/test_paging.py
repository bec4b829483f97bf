import pytest

from llm_benchmark.errors import UnexpectedAnswer
from llm_benchmark.paging import LARGEST_PAGE, Page, Pages


class Shelf:
    """Numbers, some at a time."""

    def __init__(self, count):
        self.count = count
        self.asked = []

    def __call__(self, page_size, page_token):
        self.asked.append((page_size, page_token))
        start = int(page_token or 0)
        end = min(start + page_size, self.count)
        return Page(list(range(start, end)), str(end) if end < self.count else "")


class TestPages:
    def test_give_all_items(self):
        assert list(Pages(Shelf(250))) == list(range(250))

    def test_are_asked_for_when_they_are_needed(self):
        shelf = Shelf(250)

        items = iter(Pages(shelf))
        next(items)

        assert shelf.asked == [(LARGEST_PAGE, "")]

    def test_give_the_first_of_them(self):
        shelf = Shelf(250)

        assert Pages(shelf).first(3) == [0, 1, 2]
        assert shelf.asked == [(3, "")]

    def test_give_more_than_a_page_of_them(self):
        assert Pages(Shelf(250)).first(130) == list(range(130))

    def test_give_none_of_them(self):
        assert Pages(Shelf(250)).first(0) == []

    def test_may_be_gone_through_again(self):
        pages = Pages(Shelf(3))

        assert list(pages) == list(pages)

    def test_go_on_from_a_token(self):
        page = next(Pages(Shelf(250)).pages(page_size=10, page_token="240"))

        assert page.items == list(range(240, 250))

    def test_end_where_the_same_page_comes_again(self):
        pages = Pages(lambda _size, _token: Page([], "more"))

        with pytest.raises(UnexpectedAnswer, match="the same page again"):
            pages.first(1)
