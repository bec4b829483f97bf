"""The pictures of a run, in a folder with a sheet to look through."""

import shutil
from html import escape
from pathlib import Path

from .looks import LOOKS

FOLDER = Path(__file__).resolve().parents[2] / ".exchange-shots"
SHEET = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Pages</title>
<style>
body{{font:14px system-ui;margin:24px}} section{{margin-bottom:32px}}
div{{display:flex;gap:12px;align-items:flex-start}}
img{{max-height:480px;max-width:32vw;border:1px solid #999}}
</style><h1>{count} pages</h1>{sections}</html>
"""


class Album:
    def __init__(self, folder=FOLDER):
        self.folder = folder
        self._names = []
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)

    def place(self, name, look):
        """Where the picture of the page `name` in this look belongs."""
        if name not in self._names:
            self._names.append(name)
        return self.folder / self._file(name, look)

    def write_sheet(self):
        sections = "".join(self._section(name) for name in self._names)
        (self.folder / "index.html").write_text(SHEET.format(count=len(self._names), sections=sections))

    @staticmethod
    def _file(name, look):
        return f"{name}.{look.device}.{look.theme}.png"

    def _section(self, name):
        pictures = "".join(self._picture(self._file(name, look)) for look in LOOKS)
        return f"<section><h2>{escape(name)}</h2><div>{pictures}</div></section>"

    @staticmethod
    def _picture(file):
        return f'<a href="{escape(file)}"><img loading="lazy" alt="{escape(file)}" src="{escape(file)}"></a>'
