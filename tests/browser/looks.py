"""A page as people see it: on a phone and on a desk, by day and by night."""

from dataclasses import dataclass

from axe_playwright_python.base import AXE_SCRIPT

from .findings import AXE, SIDEWAYS, Finding

RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
# Without `preload` axe writes no style elements of its own, which the pages' policy would block.
RUN_AXE = """async (rules) => {
  const runOnly = { type: "tag", values: rules };
  const found = await axe.run({ runOnly, resultTypes: ["violations"], preload: false });
  const why = (node) => [...node.any, ...node.all, ...node.none].map((check) => check.message).join("; ");
  return found.violations.flatMap((rule) =>
    rule.nodes.map((node) => [node.target.join(" "), rule.id, rule.help, why(node)]));
}"""
# Transitions would leave colours of the look before; what moves for ever stops.
SETTLE = """() => document.documentElement.offsetWidth && document.getAnimations().forEach((animation) =>
  Number.isFinite(animation.effect.getComputedTiming().endTime) ? animation.finish() : animation.cancel())"""
# Menus stay shut, because they would lie over what is to be checked.
UNFOLD = """() => [...document.querySelectorAll("main details:not([open])")].forEach((details) => {
  details.open = details.unfolded = true;
})"""
FOLD = """() => [...document.querySelectorAll("main details")].forEach((details) => {
  if (details.unfolded) details.open = details.unfolded = false;
})"""
# What sticks out and is not inside something that scrolls by itself.
STICKS_OUT = """() => {
  const page = document.documentElement, width = page.clientWidth;
  if (page.scrollWidth <= width) return [];
  const scrolls = (element) => element && element !== document.body && element !== page &&
    (/auto|scroll|hidden|clip/.test(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  const name = (element) => element.tagName.toLowerCase() + (element.id ? "#" + element.id : "") +
    [...element.classList].map((word) => "." + word).join("");
  const end = (element) => {
    const box = element.getBoundingClientRect();
    return Math.max(box.right, scrolls(element) ? 0 : box.left + element.scrollWidth);
  };
  const out = [...document.querySelectorAll("body *")].filter((element) =>
    end(element) > width + 0.5 && !scrolls(element.parentElement));
  const inner = out.filter((element) => !out.some((other) => other !== element && element.contains(other)));
  return inner.length ? inner.slice(0, 3).map(name) : ["html"];
}"""


@dataclass(frozen=True)
class Look:
    device: str
    width: int
    height: int
    theme: str

    @property
    def name(self):
        return f"{self.device}-{self.theme}"

    def put_on(self, page):
        page.set_viewport_size({"width": self.width, "height": self.height})
        page.emulate_media(color_scheme=self.theme, reduced_motion="reduce")
        page.evaluate(SETTLE)


LOOKS = [
    Look(device, width, height, theme)
    for device, width, height in (("desktop", 1280, 900), ("phone", 375, 812))
    for theme in ("light", "dark")
]


def path_of(page):
    """The page without its host."""
    return "/" + page.url.split("/", 3)[-1]


def check_access(page, look, findings):
    """Note what axe finds. It is loaded already."""
    for where, rule, help_text, why in page.evaluate(RUN_AXE, RULES):
        findings.add(Finding(AXE, path_of(page), where, f"{rule}: {help_text} ({why})"), look.name)


def check_width(page, look, findings):
    """Note what makes a page scroll sideways on a phone."""
    for where in page.evaluate(STICKS_OUT) if look.device == "phone" else []:
        findings.add(Finding(SIDEWAYS, path_of(page), where, f"wider than {look.width} px"), look.name)


def check_unfolded(page, findings):
    """Check what is folded as well, opened on a phone."""
    look = LOOKS[-1]
    page.evaluate(UNFOLD)
    check_access(page, look, findings)
    check_width(page, look, findings)
    page.evaluate(FOLD)


def look_at(page, name, album, findings, *, runs_scripts=True):
    """Check and picture the page that is open, in each look, as it is: nothing is loaded again.

    axe is a script itself: pages without scripts are checked for their width alone.
    """
    if runs_scripts:
        page.evaluate("document.fonts.ready.then(() => {})")
        page.evaluate(AXE_SCRIPT)
    for look in LOOKS:
        look.put_on(page)
        if runs_scripts:
            check_access(page, look, findings)
        check_width(page, look, findings)
        page.screenshot(path=album.place(name, look), full_page=True, animations="disabled")
    if runs_scripts:
        check_unfolded(page, findings)
    LOOKS[0].put_on(page)
    findings.pages.add(name)
