"""REST as programs meet it: through the client, with answers as they come, to hold against other doors'."""

import json

from exchange.demo import people
from llm_benchmark import Client


class Rest:
    """`rest.get("/benchmarks")`; `rest.client` has the typed methods."""

    def __init__(self, base_url):
        self.base_url = base_url
        self.client = Client(base_url, "", timeout=60)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.client.close()

    def log_in(self, **account):
        self.client.close()
        self.client = people.log_in(self.base_url, **account)

    def call(self, method, path, **options):
        answer = self.client._transport.send(method, path.lstrip("/"), **options)
        return json.loads(answer) if answer else None

    def get(self, path, **params):
        return self.call("GET", path, params=params)

    def post(self, path, body=None):
        return self.call("POST", path, json=body or {})

    def every(self, path, **params):
        """All items of a paged list."""
        page = {"next_page_token": ""}
        while page["next_page_token"] or "items" not in page:
            page = self.get(path, page_size=100, page_token=page["next_page_token"], **params)
            yield from page["items"]

    def organization(self, slug, name):
        return people.own_organization(self.client, slug, name).as_dict()
