"""A form that is sent by somebody whose session has ended leads to the log-in, and back to its page."""

import re
from urllib.parse import urlencode
from uuid import UUID

import pytest

from .doors import page_views

ID = str(UUID(int=1))
FOR_EVERYBODY = {"/logout": "ends the session, if there is one", "/theme": "a reader's own choice"}
METHOD_NOT_ALLOWED = 405


@pytest.mark.django_db
def test_forms_lead_to_the_log_in_and_back(client):
    paths = {"/" + re.sub(r"<(\w+:)?\w+>", ID, str(pattern)) for pattern, _view in page_views()}
    for_forms = {path for path in paths if client.get(path).status_code == METHOD_NOT_ALLOWED}
    asked = {path: client.post(path, headers={"referer": "http://testserver/page?x=1"}) for path in for_forms}

    to_login = f"/login?{urlencode({'next': '/page?x=1'})}"
    assert len(for_forms) > len(FOR_EVERYBODY)
    elsewhere = {path for path, answer in asked.items() if answer.headers.get("Location") != to_login}
    assert elsewhere == set(FOR_EVERYBODY)
