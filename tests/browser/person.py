"""Somebody with a browser, who finds things by the names that pages give them."""

import re
import time
from contextlib import contextmanager

from .looks import look_at, path_of
from .watch import Watch


class Person:
    """One tab with cookies of its own. What its pages complain about goes into `findings`."""

    def __init__(self, browser, base_url, album, findings, javascript=True):
        self._album, self._findings, self._runs_scripts = album, findings, javascript
        self.context = browser.new_context(base_url=base_url, java_script_enabled=javascript)
        self.context.set_default_timeout(15_000)
        self.watch = Watch(self.context, findings)
        self.page = self.context.new_page()

    @property
    def path(self):
        return path_of(self.page)

    @property
    def main(self):
        return self.page.locator("main")

    def go(self, path):
        self.page.goto(path)

    def look(self, name):
        """Check and picture the page that is open."""
        look_at(self.page, name, self._album, self._findings, runs_scripts=self._runs_scripts)

    def follow(self, name, within=None):
        """Follow the first link of that name (text, or a pattern) and wait for its page."""
        with self.loading():
            (within or self.page).get_by_role("link", name=name).first.click()

    def press(self, name, within=None):
        """Press a button that sends a form, and wait for the page that answers."""
        with self.loading():
            (within or self.page).get_by_role("button", name=name).first.click()

    @contextmanager
    def loading(self):
        """What is done inside opens a page."""
        with self.page.expect_event("load"):
            yield

    @contextmanager
    def standing_still(self):
        """What pages ask anew by themselves has not changed meanwhile, so that they stay as they are."""
        self.page.route("**/progress", lambda route: route.fulfill(status=304))
        yield
        self.page.unroute("**/progress")

    def fill(self, within=None, /, **values):
        """Fill fields by their `name`; True ticks, a list ticks each, a select chooses its value."""
        form = within or self.main
        for name, value in values.items():
            field = form.locator(f'[name="{name}"]').first
            kind = field.evaluate("field => field.type")
            if kind in {"checkbox", "radio"}:
                self._tick(form, name, value)
            elif kind.startswith("select"):
                field.select_option(value)
            else:
                field.fill(str(value))

    @staticmethod
    def _tick(form, name, value):
        for wanted in value if isinstance(value, list) else [value]:
            chosen = "" if wanted is True else f'[value="{wanted}"]'
            form.locator(f'[name="{name}"]{chosen}').first.check()

    def select(self, name, containing):
        """Choose the option that says this, as it may say more."""
        field = self.main.locator(f'[name="{name}"]')
        option = field.locator("option", has_text=containing).first
        field.select_option(option.get_attribute("value"))

    def sees(self, text, within_seconds=15):
        """Wait until the main part says it; a pattern may be given."""
        self.main.get_by_text(text).first.wait_for(timeout=within_seconds * 1000)

    def sees_after_reloading(self, text, within_seconds):
        """Load the page anew until its main part says it."""
        deadline = time.monotonic() + within_seconds
        while not self.main.get_by_text(text).count():
            assert time.monotonic() < deadline, f"{self.path} does not say “{text}”"
            self.page.wait_for_timeout(500)
            self.page.reload()

    def is_at(self, pattern):
        assert re.search(pattern, self.path), f"{self.path} is not {pattern}"

    def tab_to(self, wanted, limit=200):
        """Press Tab until the focus is on the element; only the keyboard is used."""
        for _ in range(limit):
            self.page.keyboard.press("Tab")
            if wanted.evaluate("element => element === document.activeElement"):
                return
        raise AssertionError(f"{limit} tabs do not reach {wanted}")

    def log_in(self, name, password):
        self.go("/login")
        self.fill(email_or_username=name, password=password)
        self.press("Log in", self.main)

    def close(self):
        self.context.close()
