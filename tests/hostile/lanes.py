"""A client of a gateway."""

import http.client
import json
from contextlib import closing


def ask(gateway, model, *, key=None, **fields):
    """Ask, and read to the end whatever comes. The journal has it under the model's name, with hyphens."""
    messages = [{"role": "user", "content": "Hello."}]
    body = json.dumps({"model": model, "stream": True, "max_tokens": 8, "messages": messages, **fields})
    headers = {"Authorization": f"Bearer {key or gateway.key}", "X-Request-ID": model.replace("_", "-")}
    with closing(http.client.HTTPConnection("127.0.0.1", gateway.port, timeout=60)) as connection:
        try:
            connection.request("POST", "/v1/chat/completions", body, headers)
            response = connection.getresponse()
            while response.read(65536):
                pass
        except (OSError, http.client.HTTPException):
            pass
