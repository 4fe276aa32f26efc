"""The wire types in Swift, made from the schemas of openapi.yaml (see wire.py)."""

import re
import textwrap

HEADER = "// Generated from openapi.yaml by scripts/lib/wire.py --write. Do not edit.\n// swift-format-ignore-file\n"
# The schemas without a type in Swift, or with one that is written by hand, and why.
BY_HAND = {
    "UserDataExport": "apps save it as a file and do not read it",
    "Health": "for operators",
    "ProblemDocument": "reads what proxies answer, too, and has a member that comes from a header",
    "ProblemCode": "the products add to it",
    "ResourceID": "a text in the document, and a type with rules in Swift",
    "Nullable": "a wrapper of members, and no message",
}
# The members that the service reads as another type than the document says, and why.
TYPES = {
    # A text that is not an id is answered like an unknown id.
    "VerifyRequest.verification_id": "String",
    "InviteRequest.group_id": "String",
    "FocusSync.device_id": "String",
    # An enum in InvitationOutcome.swift. A closed one: no other outcome may be added within v1.
    "Invitation.outcome": "Outcome",
}
# The members whose null says something else than a member that is left out. For all others they are the same.
NULL_IS_A_VALUE = {
    "UserPatch.quiet_from", "UserPatch.quiet_to", "FocusTemptationSettings.quiet_from",
    "FocusTemptationSettings.quiet_to", "FocusDay.streaks",
}
GREATEST = 2**53 - 1  # The greatest number of JavaScript: not a limit that anybody reaches.
PLAIN = {"string": "String", "integer": "Int", "number": "Double", "boolean": "Bool"}
FORMATS = {"uuid": "ResourceID", "date-time": "Date"}


def target_of(name):
    """The product whose target has a schema, or an empty text for DaylyAPI."""
    return next((product for product in ("Focus", "Companion") if name.startswith(product)), "")


def swift_name(name):
    first, *others = name.split("_")
    return first + "".join(one.upper() if one in ("id", "url") else one.capitalize() for one in others)


class SwiftTypes:
    def __init__(self, document):
        self.schemas = document["components"]["schemas"]
        self.uses = uses(document)

    def resolve(self, schema):
        """A schema in the place of references and of unions with null."""
        while True:
            if "$ref" in schema:
                schema = self.schemas[schema["$ref"].rsplit("/", 1)[1]]
            elif parts := [one for one in parts_of(schema) if one.get("type") != "null"]:
                schema = parts[0]
            else:
                return schema

    def type_of(self, schema, inline):
        """The Swift type of a value. `inline` is the name of a type for an object that stands in the place."""
        for part in parts_of(schema):
            if part.get("type") != "null":
                return self.type_of(part, inline)
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            return name if is_struct(self.schemas[name]) else self.type_of(self.schemas[name], inline)
        kind = kind_of(schema)
        if kind == "array":
            return f"[{self.type_of(schema['items'], inline.removesuffix('s'))}]"
        if "additionalProperties" in schema:
            return f"[String: {self.type_of(schema['additionalProperties'], inline)}]"
        return inline if kind == "object" else FORMATS.get(schema.get("format"), PLAIN.get(kind))

    def structure(self, path, name, schema, note=None):
        """The declaration of an object and, inside of it, of those that stand in its place."""
        required = schema.get("required", [])
        names = {key: swift_name(key) for key in schema.get("properties", {})}
        members, nested = [], []
        for key, one in schema.get("properties", {}).items():
            inline = key.title().replace("_", "")
            members.append(self.member(f"{path}.{key}", names, one, inline, key in required))
            if is_struct(one):
                nested.append(self.structure(f"{path}.{key}", inline, one))
            elif is_struct(one.get("items", {})):
                nested.append(self.structure(f"{path}.{key}", inline.removesuffix("s"), one["items"]))
        protocols = "Codable, Hashable, Sendable" + (", Identifiable" if "id" in required else "")
        parts = nested + ["".join(declared(one) for one in members), initialiser(members)]
        if any(name != key for key, name in names.items()):
            cases = [f"case {name}" + (f' = "{key}"' if name != key else "") for key, name in names.items()]
            parts.append("enum CodingKeys: String, CodingKey {\n" + indented("\n".join(cases) + "\n") + "}\n")
        text = with_names(schema.get("description", "").strip(), names)
        body = "\n".join(part for part in parts if part)
        return comment(" ".join(filter(None, [text, note]))) + f"public struct {name}: {protocols} {{\n{indented(body)}}}\n"

    def member(self, path, names, schema, inline, is_required):
        kind = TYPES.get(path) or self.type_of(schema, inline)
        allows_null = "null" in schema.get("type", []) or any(one.get("type") == "null" for one in parts_of(schema))
        wrapper = ""
        if is_required and allows_null:
            wrapper, kind = "@Nullable ", kind + "?"
        elif not is_required:
            kind = f"Nullable<{kind}>?" if path in NULL_IS_A_VALUE else kind + "?"
        default = f' = "{schema["const"]}"' if "const" in schema else "" if is_required else " = nil"
        return {
            "name": names[path.rsplit(".", 1)[1]], "type": kind, "wrapper": wrapper, "default": default,
            "comment": comment(with_names(" ".join(self.facts(schema)), names)),
        }

    def facts(self, schema):
        """What a reader of a member wants to know: its meaning, the known values, the range."""
        value = self.resolve(schema)
        value = self.resolve(value["items"]) if kind_of(value) == "array" else value
        text = schema.get("description") or (value.get("description", "") if "enum" in value else "")
        if text:
            yield text.strip()
        if "enum" in value:
            *first, last = [f"`{one}`" for one in value["enum"] if one is not None]
            yield (", ".join(first) + " or " if first else "") + last + "."
        elif "minimum" in value and value.get("maximum", GREATEST) < GREATEST:
            yield f"From {value['minimum']:,} to {value['maximum']:,}."

    def text(self, product):
        parts = [
            self.structure(name, name, schema, self.uses.get(name)) for name, schema in self.schemas.items()
            if is_struct(schema) and name not in BY_HAND and target_of(name) == product
        ]
        imports = "import DaylyAPI\nimport Foundation\n" if product else "import Foundation\n"
        return "\n".join([HEADER, imports, *parts]).replace("\n\n\n", "\n\n")


def parts_of(schema):
    return schema.get("anyOf") or schema.get("oneOf") or schema.get("allOf") or []


def kind_of(schema):
    kind = schema.get("type")
    return next(one for one in kind if one != "null") if isinstance(kind, list) else kind


def is_struct(schema):
    return kind_of(schema) == "object" and "additionalProperties" not in schema


def uses(document):
    """For each schema the calls that send or answer it, as a sentence."""
    found = {}
    for path, item in document["paths"].items():
        for method, operation in item.items():
            if method not in ("get", "post", "put", "patch", "delete"):
                continue
            answers = [one for status, one in operation["responses"].items() if status.startswith("2")]
            for word, holders in (("body", [operation.get("requestBody", {})]), ("answer", answers)):
                for holder in holders:
                    schema = holder.get("content", {}).get("application/json", {}).get("schema", {})
                    if "$ref" in schema:
                        name = schema["$ref"].rsplit("/", 1)[1]
                        found.setdefault(name, {}).setdefault(word, []).append(f"`{method.upper()} {path}`")
    return {
        name: " ".join(f"The {word} of {' and '.join(calls)}." for word, calls in words.items())
        for name, words in found.items()
    }


def with_names(text, names):
    """A description with the Swift names of the type's members."""
    for key, name in names.items():
        text = text.replace(f"`{key}`", f"`{name}`")
    return text


def comment(text):
    """The text as lines that do not break within backticks."""
    whole = re.sub("`[^`]*`", lambda found: found[0].replace(" ", "\0"), " ".join(text.split()))
    return "".join(f"/// {line}\n" for line in textwrap.wrap(whole, 116)).replace("\0", " ")


def indented(text):
    return textwrap.indent(text, "    ")


def declared(member):
    return f"{member['comment']}{member['wrapper']}public var {member['name']}: {member['type']}\n"


def initialiser(members):
    parameters = ", ".join(f"{one['name']}: {one['type']}{one['default']}" for one in members)
    if len(parameters) > 80:
        whole = re.sub("(?<!,) ", "\0", parameters)
        parameters = "\n" + indented("\n".join(textwrap.wrap(whole, 100)).replace("\0", " ")) + "\n"
    sets = "".join(
        f"    self._{one['name']} = Nullable(wrappedValue: {one['name']})\n" if one["wrapper"]
        else f"    self.{one['name']} = {one['name']}\n"
        for one in members
    )
    return f"public init({parameters}) {{\n{sets}}}\n"
