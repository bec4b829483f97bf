"""A page's forms, filled in as they are and sent as a browser without JavaScript sends them."""

from html.parser import HTMLParser


class Forms(HTMLParser):
    """`fields` of each form, by name; the last of several with one name."""

    def __init__(self):
        super().__init__()
        self.forms: list[dict[str, str]] = []
        self._area = self._select = None

    def handle_starttag(self, tag, attrs):
        said = dict(attrs)
        name = said.get("name")
        if tag == "form":
            self.forms.append({})
        elif tag == "input" and name and (said.get("type") not in {"radio", "checkbox"} or "checked" in said):
            self._put(name, said.get("value", "").replace("\n", ""))
        elif tag == "textarea":
            self._area, self._text = name, ""
        elif tag == "select":
            self._select = name
        elif tag == "option" and ("selected" in said or self._select not in self.forms[-1]):
            self._put(self._select, said["value"])

    def handle_data(self, data):
        if self._area:
            self._text += data

    def handle_endtag(self, tag):
        if tag == "textarea" and self._area:
            self._put(self._area, self._text.removeprefix("\n").replace("\n", "\r\n"))
            self._area = None

    def _put(self, name, value):
        if self.forms:
            self.forms[-1][name] = value


def form_of(page: str, name: str) -> dict[str, str]:
    """What the form that has a field `name` sends when nobody touches it."""
    reader = Forms()
    reader.feed(page.replace("\r\n", "\n").replace("\r", "\n"))
    form = next(form for form in reader.forms if name in form)
    return {field: value for field, value in form.items() if field != "csrfmiddlewaretoken"}
