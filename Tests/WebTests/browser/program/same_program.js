/**
 * Compares the modules and styles that the service gives with those of the folder: comments and indentation apart, they must
 * be the same. Called by test_budgets.py as `deno test same_program.js -- FOLDER SERVED PATH…`.
 */

const [folder, served, ...paths] = Deno.args;
const APART = new Set(["parent", "range", "comments"]);

/** Within a template of `html`, white space counts as one space. */
function text(node) {
  const isMarkup = node.parent.parent?.type === "TaggedTemplateExpression" && node.parent.parent.tag.name === "html";
  return isMarkup ? node.raw.replace(/\s+/g, " ") : node.raw;
}

/** A syntax tree as plain arrays. */
function plain(value) {
  if (Array.isArray(value)) return value.map(plain);
  if (value === null || typeof value !== "object") return String(value);
  if (value.type === "TemplateElement") return ["TemplateElement", text(value)];
  const fields = [];
  for (const key in value) {
    if (!APART.has(key) && value[key] !== undefined) fields.push([key, plain(value[key])]);
  }
  return fields;
}

function treeOf(path, source) {
  let tree = null;
  const create = () => ({ Program: (node) => void (tree = plain(node)) });
  Deno.lint.runPlugin({ name: "tree", rules: { tree: { create } } }, path, source);
  if (!tree) throw new Error(`${path} cannot be read as a program.`);
  return JSON.stringify(tree);
}

const rules = (source) => source.replace(/\/\*[^]*?\*\//g, "").replace(/\s+/g, " ").trim();

for (const path of paths) {
  Deno.test(path, () => {
    const [source, given] = [folder, served].map((root) => Deno.readTextFileSync(`${root}/${path}`));
    const of = path.endsWith(".css") ? rules : (code) => treeOf(path, code);
    if (of(source) !== of(given)) throw new Error("The served file is another program.");
    if (source.split("\n").length !== given.split("\n").length) throw new Error("Lines have moved.");
  });
}
