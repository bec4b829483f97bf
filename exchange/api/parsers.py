"""How a body becomes plain data."""

import json
from typing import Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser

from exchange.core.errors import InvalidInput


class JsonParser(BaseParser):
    """JSON in Unicode, of the size that Django allows. The form names the field that holds a NaN or worse."""

    media_type = "application/json"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        try:
            return json.loads(stream.body if isinstance(stream, HttpRequest) else stream.read())
        except RecursionError as error:
            raise InvalidInput.of("", "nested_too_deeply", _("This is nested too deeply.")) from error
        except ValueError as error:
            message = _("The body is not valid JSON: %s") % error
            raise InvalidInput.of("", "malformed_json", message) from error
