/** Parts that need no page: ThumbHash, phone numbers and the tones of people. */

import assert from "node:assert/strict";
import { spaced } from "../../../Sources/Web/parts/contacts/calling-codes.js";
import { countries, homeRegion } from "../../../Sources/Web/parts/numbering/plan.js";
import { decode, SIDE } from "../../../Sources/Web/parts/pictures/thumbhash.js";
import { tone, tones } from "../../../Sources/Web/parts/people/tone.js";

// Guard: a locale that is not a language stops nothing (`translate.js`)
Deno.test("the first country is that of the browser's languages, also beside one that is not a language", () => {
  assert.equal(homeRegion(["C"]), "US");
  assert.equal(homeRegion(["en_US@posix", "de-AT", "fr"]), "AT");
  assert.equal(homeRegion(["ja"]), "JP");
});

Deno.test("a number is shown with spaces behind its calling code, from left to right", () => {
  assert.equal(spaced("+491701234567"), "\u2066+49\u00a0170\u00a0123\u00a04567\u2069");
  assert.equal(spaced("+33612345678"), "\u2066+33\u00a06\u00a012\u00a034\u00a056\u00a078\u2069");
  assert.equal(spaced("+14155550132"), "\u2066+1\u00a0415\u00a0555\u00a00132\u2069");
});

Deno.test("a ThumbHash becomes opaque pixels near the picture's colours", () => {
  // A sunset over the sea: warm above, dark blue below.
  const pixels = decode("njgWTQ53iI+IeIhnh3eHiHePePd4");
  assert.equal(pixels.length, SIDE * SIDE * 4);
  for (let at = 3; at < pixels.length; at += 4) assert.equal(pixels[at], 255);
  const [red, , blue] = pixels.slice(4 * SIDE / 2);
  assert.ok(red > blue + 60, "the sky is warm");
  const [redBelow, , blueBelow] = pixels.slice(4 * SIDE * (SIDE - 1));
  assert.ok(blueBelow > redBelow, "the sea is blue");
});

Deno.test("a text that is no ThumbHash gives nothing", () => {
  assert.equal(decode(""), null);
});

Deno.test("each country has its calling code and a name", () => {
  const all = countries("en");
  assert.equal(all.length, 245);
  assert.ok(
    all.every(({ region, code, name }) =>
      /^[A-Z]{2}$/.test(region) && /^\d{1,3}$/.test(code) && name !== region
    ),
  );
  const known = {
    DE: "49",
    GB: "44",
    JM: "1",
    KZ: "7",
    FI: "358",
    TL: "670",
    UZ: "998",
    MQ: "596",
    LI: "423",
  };
  for (const [region, code] of Object.entries(known)) {
    assert.equal(all.find((each) => each.region === region)?.code, code);
    assert.ok(spaced(`+${code}5550101`).startsWith(`\u2066+${code}\u00a0`));
  }
  // A number is shown with the code that its country has.
  for (const { code } of all) assert.ok(spaced(`+${code}5550101`).startsWith(`\u2066+${code}\u00a0`), code);
});

// Ids made one after the other differ in their last digits. Steps of 17 and 136 change two or three digits alike.
for (const step of [1, 17, 136]) {
  // Guard: similar ids have different tones (`tone.js`)
  Deno.test(`1,000 people whose ids are ${step} apart share the eight tones evenly`, () => {
    const counts = new Array(8).fill(0);
    for (let at = 0; at < 1000; at++) {
      counts[tone(`019aab12-7c00-7000-8000-${(at * step).toString(16).padStart(12, "0")}`)] += 1;
    }
    assert.ok(counts.every((count) => Math.abs(count - 125) <= 125 * 0.3), `${counts}`);
  });
}

// Guard: eight members of a group have eight tones (`tone.js`)
Deno.test("up to eight members of a group differ in their tones, and each keeps their own where it is free", () => {
  const people = Array.from({ length: 40 }, (_, at) => ({ id: `019aab12-7c00-7000-8000-${at}` }));
  for (let from = 0; from + 12 <= people.length; from++) {
    const members = people.slice(from, from + 12);
    const given = tones(members);
    assert.equal(new Set(members.slice(0, 8).map(({ id }) => given.get(id))).size, 8);
    assert.equal(new Set(members.slice(8).map(({ id }) => given.get(id))).size, 4);
    assert.equal(given.get(members[0]?.id), tone(members[0]?.id));
  }
  // Those who came before keep their tones when somebody joins or leaves after them.
  assert.deepEqual([...tones(people.slice(0, 2))], [...tones(people.slice(0, 3))].slice(0, 2));
});
