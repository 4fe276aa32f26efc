"""What a package makes of the web client's files."""

import sys

import pytest

from service import ROOT

sys.path.append(str(ROOT / "scripts/lib"))

from web_bundle import Bundle, NotJoined, package, served, styles  # noqa: E402

FILES = {
    "first.js": 'import "./app/main.js";',
    "app/main.js": """import { fetch } from "./fetch.js";
import {
join as joined,
key,
} from "../parts/text.js";
import "../parts/side.js";
export { key };
export async function start() {
await import("../screens/later.js");
const both = [
import("../screens/two.js"),
];
return await import("./same.js");
}""",
    "app/fetch.js": "export const fetch = new URL(`./x.json`, import.meta.url);",
    "parts/text.js": 'import { fetch } from "../app/fetch.js";\nexport function join() {}\nexport class key {}',
    "parts/side.js": "globalThis.side = 1;",
}
JOINED = """const $0 = (() => {
const fetch = new URL(`./x.json`, new URL("./app/fetch.js", import.meta.url));
return {fetch};
})();
const { fetch: $0fetch } = $0;
export { $0fetch as fetch };
const $1 = (() => {
const { fetch } = $0;
function join() {}
class key {}
return {join,key};
})();
const { join: $1join, key: $1key } = $1;
export { $1join as join, $1key as key };
const $2 = (() => {
globalThis.side = 1;
return {};
})();
const $3 = (() => {
const { fetch } = $0;



const { join: joined,key, } = $1;


async function start() {
await import("./screens/later.js");
const both = [
import("./screens/two.js"),
];
return await import("./app/same.js");
}
return {start,key};
})();
const { start: $3start } = $3;
export { $3start as start };
//# sourceMappingURL=first.js.map"""


def test_each_module_comes_after_those_that_it_imports_as_a_function_that_returns_its_exports():
    bundle = Bundle(FILES)
    assert bundle.modules == ["app/fetch.js", "parts/text.js", "parts/side.js", "app/main.js"]
    assert "\n".join(bundle.lines) == JOINED


def test_the_source_map_names_the_module_and_the_line_of_each_line():
    bundle = Bundle(FILES)
    assert bundle.source_map() == {
        "version": 3, "file": "first.js", "sources": bundle.modules, "names": [],
        "mappings": ";AAAA;;;;;;ACAA;AACA;AACA;;;;;;ACFA;;;;ACAA" + ";AACA" * 13}


OTHER = "app/main.js exports something else than a function, a class or a constant"
BRACES = "app/main.js has imports that are not names in braces"


@pytest.mark.parametrize(("main", "reason"), [
    ('import "./none.js";', "app/none.js is imported by another module, but is not there"),
    ("export let a = 1;", OTHER),
    ("export const { a } = b;", OTHER),
    ("export default 1;", OTHER),
    ('import * as a from "./fetch.js";', BRACES),
    ('import a from "./fetch.js";', BRACES),
    ('export { fetch } from "./fetch.js";', BRACES),
    ('import "../first.js";', "first.js imports itself by way of app/main.js"),
    ("export function join() {}", "app/main.js exports join, as parts/text.js does"),
])
def test_a_module_that_cannot_be_joined_is_named_with_the_reason(main, reason):
    with pytest.raises(NotJoined) as error:
        Bundle({**FILES, "app/main.js": f'import {{ key }} from "../parts/text.js";\n{main}'})
    assert str(error.value) == reason


def test_comments_and_indentation_go_and_each_line_stays_in_its_place():
    module = """/** Says
  * hello. */
// Alone.
export const a = "/* no comment */" // stays

  /** @type {X} */ (a).b /* stays */
  /**/ c"""
    assert served(module) == '\n\n\nexport const a = "/* no comment */" // stays\n\n(a).b /* stays */\nc'
    assert served("/* A rule. */\n\ta {\n\t\tcolor: red;\n}\n") == "\na {\ncolor: red;\n}\n"


def test_styles_are_joined_in_their_order_and_a_missing_file_is_named():
    files = {"first.css": '@import "./a.css";\n@import "./parts/b.css";\n', "a.css": "a {}", "parts/b.css": "b {}"}
    assert styles(files) == (["a.css", "parts/b.css"], "a {}\nb {}\n")
    with pytest.raises(NotJoined, match="b.css is imported by first.css, but is not there"):
        styles({name: text for name, text in files.items() if name != "parts/b.css"})


def test_a_package_has_the_program_and_nothing_that_only_its_readers_need(tmp_path):
    package(ROOT / "Sources/Web", tmp_path)
    names = {str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*") if path.is_file()}
    assert {"index.html", "sw.js", "first.js", "first.js.map", "first.css", "locales/en.json", "app/stores.js"} <= names
    assert not names & {"README.md", "deno.json", "deno.worker.json", "api/api.d.ts", "styles/base.css"}
