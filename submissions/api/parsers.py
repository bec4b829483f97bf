from rest_framework.parsers import JSONParser


class NumberParser(JSONParser):
    """Lets NaN and Infinity through to the form, which names the field they stand in."""

    strict = False
