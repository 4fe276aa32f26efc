/** Numbers and codes as people type, paste and keep them: the cases of Tests/FromOutside. */

import assert from "node:assert/strict";
import { numbersIn } from "../../../Sources/Web/parts/numbering/text.js";
import { tidied } from "../../../Sources/Web/parts/numbering/tidied.js";
import { invitationCode, verificationCode } from "../../../Sources/Web/parts/invitations/typed-codes.js";

/** @param {string} name @returns {any[]} */
const cases = (name) =>
  JSON.parse(Deno.readTextFileSync(new URL(`../../FromOutside/${name}.json`, import.meta.url)));

/** What the field makes of a text: a number, several of which the person chooses, or null. @param {string} text @param {string} region */
function read(text, region) {
  const found = numbersIn(text, region);
  const numbers = [...new Set(found.flatMap((each) => each.numbers))];
  if (found.some(({ fault }) => fault) || numbers.length === 0) return null;
  return numbers.length > 1 ? numbers : numbers[0];
}

// Guard: what nobody sees is taken off, and digits of all scripts count (`plain.js`)
// Guard: of two readings none is sent before the person has chosen (`reading.js`, `phone-field.js`)
Deno.test("a number is read as people type and paste it, and asked for where two can be meant", () => {
  for (const { input, region, from, want, ask } of cases("phone-field")) {
    assert.deepEqual(read(input, region), ask ?? want, `${region}, ${from}: ${input}`);
  }
});

Deno.test("the field agrees with the service on each spelling with a country code", () => {
  const all = cases("numbers").filter(({ want }) => want);
  assert.ok(all.length > 70);
  for (const { input, from, want } of all) {
    for (const region of ["DE", "US", "JP"]) {
      assert.equal(read(input, region), want, `${region}, ${from}: ${input}`);
    }
  }
});

// Guard: the prefixes and lengths of each country (`reading.js`, `plans.js`)
Deno.test("every country's numbers are read at home, abroad, with each prefix and without a plus", () => {
  const all = cases("phone-field-countries");
  assert.ok(new Set(all.map(({ region }) => region)).size === 245);
  for (const { input, bare, region, from, want } of all) {
    for (const text of input) assert.equal(read(text, region), want, `${from}: ${text}`);
    // A fixed line's digits may be another country's mobile line, and then the field asks.
    const numbers = [read(bare, region)].flat();
    assert.ok(
      numbers.includes(want) && (numbers.length === 1 || from.includes("fixed")),
      `${from}: ${bare} ${numbers}`,
    );
  }
});

// Guard: a number is not rewritten into another one (`tidied.js`)
Deno.test("a number that was typed gets spaces, and stays the same number", () => {
  const shown = [
    ["01701234567", "DE", "170 123 4567"],
    ["4155550132", "US", "415 555 0132"],
    ["0033612345678", "FR", "6 12 34 56 78"],
    ["00442079460958", "US", "+44 207 946 0958"],
    ["88121234567", "RU", "812 123 4567"],
    ["\u202a+447911123456\u202c", "DE", "+44 791 112 3456"],
    ["0170", "DE", "0170"],
    ["447911123456", "DE", "447911123456"],
    ["0170 1234567, 0171 7654321", "DE", "0170 1234567, 0171 7654321"],
  ];
  for (const [text, region, wanted] of shown) assert.equal(tidied(text, region), wanted);
  for (const { input, region } of cases("phone-field")) {
    assert.deepEqual(read(tidied(input, region), region), read(input, region), input);
  }
  for (const { input, region, bare } of cases("phone-field-countries")) {
    for (const text of [...input, bare]) {
      assert.deepEqual(read(tidied(text, region), region), read(text, region), `${region} ${text}`);
    }
  }
});

Deno.test("a fault names the country whose numbers are longer or shorter", () => {
  const faults = [
    ["0171", "DE", "short", "DE"],
    ["+44 7911", "DE", "short", "GB"],
    ["555-0101", "US", "short", "US"],
    ["017112345678901234", "DE", "long", "DE"],
    ["+999 12", "DE", "code", ""],
  ];
  for (const [text, region, fault, country] of faults) {
    const [found] = numbersIn(text, region);
    assert.deepEqual([found?.fault, found?.region], [fault, country], text);
  }
});

// Guard: what nobody sees is taken off, and digits of all scripts count (`plain.js`)
Deno.test("a code is read wherever it stands, as the service reads it", () => {
  for (const { input, from, want } of cases("verification-codes")) {
    assert.equal(verificationCode(input), want, from);
  }
  for (const { input, from, want } of cases("invitation-codes")) {
    assert.equal(invitationCode(input), /^[A-Z2-9]{6}$/.test(want) ? want : null, from);
  }
  for (const { input, field, from, want } of cases("code-fields")) {
    assert.equal(field === "sign-in" ? verificationCode(input) : invitationCode(input), want, from);
  }
});
