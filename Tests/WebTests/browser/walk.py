"""What a screen reader gets at each step of a walk: what is said by itself, where the keyboard is, and what there is to find."""

import os
import re

from person import TEXTS

# Runs before every page: keeps what live regions say, in their order.
LISTEN = """
globalThis.said = [];
{
  const LIVE = "[role=status], [role=alert]";
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) {
      const within = (target instanceof Element ? target : target.parentElement)?.closest(LIVE);
      const added = [...addedNodes].filter((node) => node instanceof Element)
        .flatMap((node) => [node, ...node.querySelectorAll("*")]).filter((node) => node.matches(LIVE));
      for (const region of within ? [within] : added) {
        const text = region.textContent.trim();
        if (text && said.at(-1) !== text) said.push(text);
      }
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });
}
"""
# What people jump to. Plain text is read on the way, and not told here.
ROLES = ("heading", "list", "link", "button", "textbox", "image", "checkbox", "combobox")
# Texts of people, not of the app.
PEOPLE = ("Family", "Ada", "Grace")
_ISOLATES = re.compile("[\u2066-\u2069]")


def _forms():
    """Each form of each text: the length of its own words, a pattern of it, and its key."""
    for key, entry in TEXTS.items():
        for text in [entry] if isinstance(entry, str) else entry.values():
            pieces = re.split(r"\{\w+\}", text)
            if any(re.search(r"\w", piece) for piece in pieces):
                yield sum(map(len, pieces)), re.compile(".+?".join(map(re.escape, pieces))), key


# Of two keys that fit, the one with more words of its own is meant; of two with the same words, that of the screen.
FORMS = sorted(_forms(), key=lambda form: -form[0])
# How keys begin on screens with another name.
PREFIXES = {"sign-in": "phone", "viewer": "viewer"}


def told(text, screen):
    """The key of a text. A name stands as it is, and the time behind it is left out."""
    text = _ISOLATES.sub("", text).strip()
    who = next((name for name in (*PEOPLE, TEXTS["people.you"]) if text.split(" ")[0] == name), None)
    fitting = [(length, key) for length, pattern, key in FORMS if length > 3 and pattern.fullmatch(text)]
    best = [key for length, key in fitting if length == fitting[0][0]]
    key = next((key for key in best if key.startswith(PREFIXES.get(screen, screen) + ".")), best[0] if best else None)
    return f"`{key}`" if key else who or f"“{text}”"


class Walk:
    """Notes the steps of a person."""

    def __init__(self, person):
        self.person, self.lines, self.steps = person, [], 0
        self.accessibility = person.context.new_cdp_session(person.page)

    def note(self, step):
        """Notes what the person gets when the screen is there and has said all."""
        page = self.person.page
        count = None
        while count != (count := page.evaluate("said.length")):
            page.wait_for_timeout(500)
        said = page.evaluate("said.splice(0)")
        screen = page.evaluate("document.getElementById('screen').dataset.screen")
        nodes = self._nodes()
        keyboard = [node for node in nodes if _is(node, "focused") and node["role"]["value"] != "RootWebArea"]
        found = [node for node in nodes if node["role"]["value"] in ROLES and node["name"]["value"]]

        def named(node):
            return f"{node['role']['value']} {told(node['name']['value'], screen)}"

        self.steps += 1
        self.lines += [
            f"{self.steps}. {step}",
            f"   - said: {', '.join(told(text, screen) for text in said) or 'nothing'}",
            f"   - keyboard: {named(keyboard[-1]) if keyboard else 'where the page begins'}",
            f"   - to find: {', '.join(map(named, found))}"]

    def written_in(self, page):
        """The steps as a page has them. With WALK=write the page gets those of this walk first."""
        before, written, after = re.split(r"(?<=<!-- walk -->\n)(.*?)(?=<!-- end -->)", page.read_text(), flags=re.S)
        if os.environ.get("WALK") == "write":
            written = "\n".join([*self.lines, ""])
            page.write_text(before + written + after)
        return written.splitlines()

    def _nodes(self):
        """The nodes that a screen reader knows, in the order of reading."""
        every = {node["nodeId"]: node for node in self.accessibility.send("Accessibility.getFullAXTree")["nodes"]}
        order, stack = [], [next(iter(every))]
        while stack:
            node = every[stack.pop()]
            order += [] if node["ignored"] else [node]
            stack += [each for each in reversed(node.get("childIds", [])) if each in every]
        return order


def _is(node, name):
    return any(one["name"] == name and one["value"].get("value") for one in node.get("properties", []))

