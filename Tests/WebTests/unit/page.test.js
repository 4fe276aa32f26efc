import assert from "node:assert/strict";
import { pseudo } from "../../../Sources/Web/app/pseudo.js";
import { detour, match, pathOf, ROUTES } from "../../../Sources/Web/app/routes.js";
import { createTranslator, directionOf, isCatalogue, resolved } from "../../../Sources/Web/app/translate.js";
import { createClock } from "../../../Sources/Web/store/service-clock.js";
import { fittingSize } from "../../../Sources/Web/store/uploads/picture.js";
import { createPreferences } from "../../../Sources/Web/store/preferences.js";
import { fakeTime } from "./fakes.js";

Deno.test("every route is found by its own address", () => {
  for (const { name } of ROUTES) {
    const params = { id: "i d", code: "ABC", photo: "p/1" };
    assert.equal(match(pathOf(name, params)).route.name, name);
  }
  assert.deepEqual(match("/g/i%20d/photo/p%2F1").params, {
    id: "i d",
    photo: "p/1",
  });
});

Deno.test("an unknown or damaged address is not found, and never an error", () => {
  for (const path of ["/nothing", "/g/", "/g/a/b/c/d", "/v1/groups"]) {
    assert.equal(match(path).route.name, "not-found");
  }
  assert.equal(match("/g/%E0%A4%A").params.id, "%E0%A4%A");
});

Deno.test("signed-out people are led to the welcome screen, nameless ones to the name, others past the welcome", () => {
  const route = (path) => match(path).route;
  const nobody = { signedIn: false, named: false };
  const nameless = { signedIn: true, named: false };
  const named = { signedIn: true, named: true };
  assert.equal(detour(route("/g/1"), nobody), "welcome");
  assert.equal(detour(route("/sign-in"), nobody), null);
  assert.equal(detour(route("/join/ABC"), nobody), null);
  assert.equal(detour(route("/g/1"), nameless), "name");
  assert.equal(detour(route("/name"), nameless), null);
  assert.equal(detour(route("/welcome"), named), "home");
  assert.equal(detour(route("/g/1"), named), null);
});

Deno.test("the language is the chosen one, else the browser's first that there is, else English", () => {
  assert.equal(resolved("de", ["en"]), "de");
  assert.equal(resolved("auto", ["fr-FR", "de-AT", "en"]), "de");
  assert.equal(resolved("auto", ["fr"]), "en");
  assert.equal(resolved("en-XA", []), "en-XA");
  assert.deepEqual([directionOf("ar-XB"), directionOf("de")], ["rtl", "ltr"]);
});

const NOW = Date.parse("2026-11-22T12:00:00Z");
const HOUR = 3_600_000;

Deno.test("texts have their values, and plurals their form", () => {
  const { text } = createTranslator({
    hi: "Hi {word}",
    n: { "=2": "a pair", one: "{count} photo", other: "{count} photos" },
  }, "en");
  assert.equal(text("hi", { word: "Ada {word}" }), "Hi Ada {word}");
  assert.equal(text("n", { count: 1 }), "1 photo");
  assert.equal(text("n", { count: 1200 }), "1,200 photos");
  assert.equal(text("n", { count: 2 }), "a pair");
  assert.equal(text("hi"), "Hi {word}");
});

// Guard: a name runs its own way, in a sentence and alone, and is not translated (`translate.js`,
// `dir="auto"`)
Deno.test("a name in a text keeps its direction to itself", () => {
  const { text, list } = createTranslator({ to: "{name} invites you to {group}", at: "{time}" }, "en");
  assert.equal(
    text("to", { name: "دانا", group: "Family" }),
    "\u2068دانا\u2069 invites you to \u2068Family\u2069",
  );
  assert.equal(text("at", { time: "noon" }), "noon");
  assert.equal(list(["Ada", "דנה"]), "\u2068Ada\u2069 and \u2068דנה\u2069");
});

// Guard: numbers in texts come from the configuration (`translate.js`, `errors.js`)
Deno.test("a photo's life is told in days, in hours where these are not whole", () => {
  const catalogue = JSON.parse(
    Deno.readTextFileSync(new URL("../../../Sources/Web/locales/en.json", import.meta.url)),
  );
  const claim = (life) => createTranslator(catalogue, "en", "en", life).text("welcome.claim");
  assert.match(claim(48), /Gone in two days\.$/);
  assert.match(claim(24), /Gone in one day\.$/);
  assert.match(claim(168), /Gone in 7 days\.$/);
  assert.match(claim(36), /Gone in 36 hours\.$/);
});

Deno.test("times are human", () => {
  const units = { "time.hours": "{count} h", "time.minutes": "{count} min", "time.seconds": "{count} s" };
  const en = createTranslator(units, "en");
  const de = createTranslator(units, "de");
  assert.equal(en.relativeTime(NOW - 2 * HOUR - 1, NOW), "2 hours ago");
  assert.equal(en.relativeTime(NOW - 10_000, NOW), "time.now");
  assert.equal(de.relativeTime(NOW - 30 * HOUR, NOW), "gestern");
  assert.equal(en.remaining(NOW + 14 * HOUR + 1, NOW), "14 h");
  assert.equal(en.remaining(NOW + 119 * 60_000, NOW), "119 min");
  assert.equal(en.remaining(NOW + 1, NOW), "1 s");
  assert.equal(en.remaining(NOW - 5, NOW), "0 s");
  assert.equal(en.countdown(NOW + 2 * HOUR + 309_000, NOW), "2:05:09");
  assert.equal(en.countdown(NOW + 65_000, NOW), "1:05");
});

for (const language of ["en", "de"]) {
  // Guard: blocked people are not told, in the same words (`locales/`)
  Deno.test(`blocked people are not told, in the same words wherever it stands: ${language}`, () => {
    const texts = JSON.parse(
      Deno.readTextFileSync(new URL(`../../../Sources/Web/locales/${language}.json`, import.meta.url)),
    );
    const last = (key) => texts[key].split(/(?<=\.) /).at(-1);
    assert.match(last("blocked.text"), language === "en" ? /not told\.$/ : /erfährt es nicht\.$/);
    assert.equal(last("viewer.blockText"), last("blocked.text"));
  });
}

Deno.test("dates and numbers follow the region, texts the language", () => {
  const british = createTranslator({ n: "{count}" }, "en", "en-GB");
  assert.equal(british.dateTime(NOW, { dateStyle: "short", timeZone: "UTC" }), "22/11/2026");
  assert.equal(british.language, "en");
});

Deno.test("the pseudo-locale lengthens each text and leaves its values alone", () => {
  const strange = pseudo({ hi: "Hello {name}", n: { one: "a", other: "b" } });
  assert.equal(strange.hi, "[Hélló {name}····]");
  assert.deepEqual(Object.keys(strange.n), ["one", "other"]);
});

const answer = (date) => new Response(null, { headers: { Date: new Date(date).toUTCString() } });

Deno.test("a phone whose clock is wrong by hours shows the service's time", () => {
  const time = fakeTime(NOW);
  const clock = createClock(time);
  clock.observe(answer(NOW + 3 * HOUR));
  assert.equal(Math.abs(clock.now() - (NOW + 3 * HOUR)) <= 500, true);
  assert.equal(clock.hasPassed("2026-11-22T14:00:00Z"), true);
});

Deno.test("a difference that the answer's way explains changes nothing", () => {
  const clock = createClock(fakeTime(NOW));
  clock.observe(answer(NOW - 1_000));
  assert.equal(clock.now(), NOW);
});

Deno.test("a time in the service's clock comes once, also when it is months away or the clock is set meanwhile", () => {
  const time = fakeTime(NOW);
  const clock = createClock(time);
  let runs = 0;
  clock.at(NOW + 60 * 24 * HOUR, () => runs++);
  time.advance(59 * 24 * HOUR);
  assert.equal(runs, 0);
  time.advance(2 * 24 * HOUR);
  assert.equal(runs, 1);
  const cancel = clock.at(clock.now() + 5_000, () => runs++);
  cancel();
  time.advance(10_000);
  assert.equal(runs, 1);
});

Deno.test("beats fall on the whole second until they are cancelled", () => {
  const time = fakeTime(NOW + 400);
  const beats = [];
  const cancel = createClock(time).everySecond(() => beats.push(time.now() - NOW));
  time.advance(2_000);
  cancel();
  time.advance(5_000);
  assert.deepEqual(beats, [1_000, 2_000]);
});

Deno.test("a picture fits into 2048 pixels and is never enlarged", () => {
  assert.deepEqual(fittingSize(4032, 3024), { width: 2048, height: 1536 });
  assert.deepEqual(fittingSize(100, 8000), { width: 26, height: 2048 });
  assert.deepEqual(fittingSize(640, 480), { width: 640, height: 480 });
  assert.deepEqual(fittingSize(1, 9000), { width: 1, height: 2048 });
});

// Guard: a choice keeps the others (`preferences.js`)
Deno.test("a choice keeps the others, also where a sign-out has cleared the storage", () => {
  const stored = new Map();
  const storage = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => stored.set(key, value),
  };
  const preferences = createPreferences(storage);
  const other = createPreferences(storage);
  preferences.set("theme", "dark");
  other.set("language", "de");
  preferences.set("autoProceed", false);
  assert.deepEqual([preferences.theme, preferences.language], ["dark", "de"]);
  stored.clear();
  preferences.set("pushWanted", false);
  assert.deepEqual([preferences.theme, createPreferences(storage).theme], ["dark", "dark"]);
});

Deno.test("choices outlive the page, and a damaged or refused storage costs only that", () => {
  const stored = new Map();
  const storage = {
    getItem: (key) => stored.get(key) ?? null,
    setItem: (key, value) => stored.set(key, value),
  };
  createPreferences(storage).set("theme", "dark");
  assert.equal(createPreferences(storage).theme, "dark");
  stored.set([...stored.keys()][0], "{damaged");
  assert.equal(createPreferences(storage).theme, "auto");
  const refusing = {
    getItem: () => null,
    setItem: () => {
      throw new Error("full");
    },
  };
  const preferences = createPreferences(refusing);
  preferences.set("language", "de");
  assert.equal(preferences.language, "de");
});

Deno.test("the JSON of something else is not taken for the texts", () => {
  assert.equal(isCatalogue({ "welcome.start": "Start" }), true);
  for (const other of [null, [], {}, "text", { error: "portal" }]) assert.equal(isCatalogue(other), false);
});
