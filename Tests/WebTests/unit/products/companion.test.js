import assert from "node:assert/strict";
import { createCompanionCalls, questions } from "../../../../Sources/Web/companion/api/calls.js";
import { createClient } from "../../../../Sources/Web/api/client.js";
import {
  byDay,
  concerns,
  daysToNext,
  dressed,
  growthOf,
  hasMinutes,
  hindranceOf,
  hoursAt,
  hoursOf,
  isAhead,
  openQuestions,
  partsOf,
  pricesOf,
  usedPart,
} from "../../../../Sources/Web/companion/store/reckoning.js";
import { createKeys } from "../../../../Sources/Web/companion/store/keys.js";
import {
  coatOf,
  COATS,
  delighted,
  lookOfDay,
  lookOfPet,
  stroked,
} from "../../../../Sources/Web/companion/store/looks.js";
import { createAnswers } from "../../../../Sources/Web/products/store/answers.js";
import { foodShapes } from "../../../../Sources/Web/companion/parts/foods.js";
import { pictureOf, wornBy } from "../../../../Sources/Web/companion/parts/drawings/outfit.js";
import { petShape } from "../../../../Sources/Web/companion/parts/drawings/pets.js";
import { fakeFetch, fakeKept, json, problem, settled } from "../fakes.js";

// The bands of a day, as the service gives them.
for (
  const [hp, state, tone, colour, pose, eyes] of [
    [100, "healthy", null, "green", "sit", "bright"],
    [80, "healthy", "playful", "green", "box", "bright"],
    [60, "concerned", "concerned", "orange", "sit", "wide"],
    [40, "tired", "strained", "orange", "sit", "half"],
    [20, "weak", "faint", "red", "blanket", "heavy"],
    [10, "weak", "faint", "red", "blanket", "asleep"],
    [0, "dead", "dead", "red", "ghost", "asleep"],
  ]
) {
  Deno.test(`the cat of ${hp} hp is in the pose ${pose} with ${eyes} eyes`, () => {
    const look = lookOfDay({ hp, state, tone, colour });
    assert.deepEqual([look.pose, look.face.eyes, look.colour], [pose, eyes, colour]);
  });
}

Deno.test("a state of a later version looks as its colour says", () => {
  assert.equal(lookOfDay({ hp: 50, state: "pensive", tone: null, colour: "orange" }).face.eyes, "wide");
  assert.equal(lookOfDay({ hp: 50, state: "pensive", tone: null, colour: "mauve" }).colour, "green");
});

Deno.test("a cat that is stroked smiles, and one that is a ghost sleeps on", () => {
  const tired = lookOfDay({ hp: 40, state: "tired", tone: "strained", colour: "orange" });
  assert.deepEqual([stroked(tired).face.eyes, stroked(tired).face.mouth], ["happy", "smile"]);
  const ghost = lookOfDay({ hp: 0, state: "dead", tone: "dead", colour: "red" });
  assert.equal(stroked(ghost), ghost);
});

const pet = (members = {}) => ({
  id: "p1",
  species: "cat",
  stage: "adult",
  outfit: [],
  health: "healthy",
  mood: 5,
  ...members,
});

for (
  const [mood, eyes, mouth] of [
    [10, "happy", "open"],
    [9, "happy", "open"],
    [8, "bright", "open"],
    [6, "bright", "open"],
    [5, "bright", "smile"],
    [3, "bright", "smile"],
    [2, "bright", "low"],
    [0, "bright", "low"],
  ]
) {
  Deno.test(`a pet in the mood ${mood} has ${eyes} eyes and the mouth ${mouth}`, () => {
    const { face } = lookOfPet(pet({ mood }));
    assert.deepEqual([face.eyes, face.mouth], [eyes, mouth]);
  });
}

Deno.test("a sick pet looks sick in any mood, and a dead one and a memory are ghosts", () => {
  const sick = lookOfPet(pet({ health: "sick", mood: 10 }));
  assert.deepEqual([sick.isSick, sick.face.eyes], [true, "heavy"]);
  const memory = { id: "m", species: "dog", stage: "elder", outfit: ["straw_hat"] };
  for (const look of [lookOfPet(pet({ health: "dead" })), lookOfPet(memory)]) {
    assert.deepEqual([look.isGhost, look.isSick, delighted(look) === look], [true, false, true]);
  }
});

Deno.test("species and stages of later versions are drawn as the simplest ones", () => {
  const look = lookOfPet(pet({ species: "parrot", stage: "egg" }));
  assert.deepEqual([look.species, look.stage], ["cat", "baby"]);
});

Deno.test("a pet's coat stays, and 1,000 pets have all of them about equally often", () => {
  const counts = Array(COATS).fill(0);
  for (let number = 0; number < 1000; number++) {
    const id = `0198a6e0-0000-7000-8000-${String(number).padStart(12, "0")}`;
    assert.equal(coatOf(id), coatOf(id));
    counts[coatOf(id)] += 1;
  }
  assert.ok(counts.every((count) => count > 150), `${counts}`);
});

/** The classes of all parts of a drawing. */
const classes = ({ set, kids }) => [set.class ?? "", ...kids.flatMap(classes)];
const parts = (members) => classes(petShape(lookOfPet(pet(members)))).join(" ").split(/\s+/);

Deno.test("a pet wears what it has on, each in its place, and an unknown thing as one badge", () => {
  const { head, face, neck, place, other } = wornBy([
    "blue_bandana",
    "cozy_blanket",
    "round_glasses",
    "straw_hat",
    "star_pin",
    "moon_pin",
  ]);
  assert.deepEqual([head, face, neck, place, other].map((spot) => spot.length), [1, 1, 1, 1, 1]);
  const drawn = parts({ outfit: ["red_scarf", "star_pin"] });
  assert.ok(drawn.includes("scarf") && drawn.includes("emblem") && !drawn.includes("straw"));
  assert.ok(!parts({}).includes("emblem"));
});

// Guard: a word that every object knows is not a thing (`outfit.js`, `foods.js`, `looks.js`)
Deno.test("a name of the language is not the name of a thing", () => {
  assert.equal(wornBy(["constructor", "toString"]).other.length, 1);
  assert.ok(pictureOf("constructor").shape);
  assert.ok(foodShapes("constructor").length > 0);
});

Deno.test("a sick pet has a thermometer, an elder grey brows, a dead pet wings", () => {
  assert.ok(parts({ health: "sick" }).includes("mercury"));
  assert.ok(parts({ stage: "elder" }).includes("grey"));
  assert.ok(parts({ health: "dead" }).includes("wing"));
  assert.ok(!parts({}).some((part) => ["mercury", "grey", "wing"].includes(part)));
});

Deno.test("the parts of a drawing have finite places for each species, stage and health", () => {
  for (const species of ["cat", "dog"]) {
    for (const stage of ["baby", "young", "adult", "elder"]) {
      for (const health of ["healthy", "sick", "dead"]) {
        const text = JSON.stringify(petShape(lookOfPet(pet({ species, stage, health }))));
        assert.ok(!/NaN|undefined|null/.test(text), `${species} ${stage} ${health}`);
      }
    }
  }
});

Deno.test("each bypass takes one of the twenty parts of the bar", () => {
  const full = (hp) => partsOf(hp).filter(Boolean).length;
  assert.deepEqual([100, 95, 50, 5, 0].map(full), [20, 19, 10, 1, 0]);
});

for (
  const [time, zone, hours] of [
    ["2026-03-02T03:59:00Z", "Europe/Berlin", "night"],
    ["2026-03-02T04:00:00Z", "Europe/Berlin", "morning"],
    ["2026-03-02T11:00:00Z", "Europe/Berlin", "afternoon"],
    ["2026-03-02T16:00:00Z", "Europe/Berlin", "evening"],
    ["2026-03-02T20:00:00Z", "Europe/Berlin", "night"],
    ["2026-03-02T23:05:00Z", "Europe/Berlin", "night"],
    ["2026-03-02T20:00:00Z", "America/New_York", "afternoon"],
  ]
) {
  Deno.test(`the window shows the ${hours} at ${time} in ${zone}`, () => {
    assert.equal(hoursAt(Date.parse(time), zone), hours);
  });
}

Deno.test("minutes are hours and minutes, and the used part of a limit ends at the whole", () => {
  assert.deepEqual(hoursOf(125.7), { hours: 2, minutes: 5 });
  assert.equal(usedPart({ used_minutes: 60, limit_minutes: 240 }), 0.25);
  assert.equal(usedPart({ used_minutes: 600, limit_minutes: 240 }), 1);
});

Deno.test("a day has minutes when some were used, or when a report of none earned energy", () => {
  const days = [[0, null], [0, 0], [0, 38], [1, null], [600, 0]];
  assert.deepEqual(
    days.map(([used_minutes, energy]) => hasMinutes({ used_minutes, energy })),
    [false, false, true, true, true],
  );
});

Deno.test("the questions without an answer come in their order, and 0 is an answer", () => {
  assert.deepEqual(openQuestions({}), ["use", "dependence", "sleep", "without_phone", "idle", "age"]);
  assert.deepEqual(openQuestions({ age: "18_24", use: 0, sleep: 0, idle: 3 }), [
    "dependence",
    "without_phone",
  ]);
  const all = { use: 1, dependence: 0, sleep: 0, without_phone: 0, idle: 0, age: "55_plus" };
  assert.deepEqual(openQuestions(all), []);
});

Deno.test("growth goes from stage to stage, and an elder is grown", () => {
  assert.deepEqual(growthOf({ stage: "baby", growth: 350 }), { part: 0.5, next: "young" });
  assert.deepEqual(growthOf({ stage: "young", growth: 700 }), { part: 0, next: "adult" });
  assert.deepEqual(growthOf({ stage: "elder", growth: 9_000 }), { part: 1, next: null });
  assert.deepEqual(
    [{ stage: "baby", growth: 0 }, { stage: "baby", growth: 699 }, { stage: "elder", growth: 7_000 }].map(
      daysToNext,
    ),
    [7, 1, null],
  );
});

const NOW = Date.parse("2026-03-02T12:00:00Z");

Deno.test("a recovery waits for its pause first and for gems second; a free one needs none", () => {
  assert.equal(hindranceOf({ gems: 120, retry_at: "2026-03-02T12:00:01Z" }, 0, NOW), "pause");
  assert.equal(hindranceOf({ gems: 120, retry_at: "2026-03-02T12:00:00Z" }, 119, NOW), "gems");
  assert.equal(hindranceOf({ gems: 120, retry_at: null }, 120, NOW), null);
  assert.equal(hindranceOf({ gems: 0, retry_at: null, free_at: null }, -50, NOW), null);
  assert.deepEqual([isAhead(null, NOW), isAhead("2026-03-02T12:00:00Z", NOW)], [false, false]);
});

Deno.test("a thing has a price for each currency, and the wallet has enough for it or not", () => {
  assert.deepEqual(pricesOf({ energy: 120, gems: 60 }, { energy: 120, gems: 59 }), [
    { currency: "energy", price: 120, isEnough: true },
    { currency: "gems", price: 60, isEnough: false },
  ]);
  assert.deepEqual(pricesOf({ energy: null, gems: 40 }, null), [{
    currency: "gems",
    price: 40,
    isEnough: false,
  }]);
});

Deno.test("a pet puts a thing on in the place of another one of its category, and takes it off again", () => {
  const all = [{ id: "scarf", category: "neck" }, { id: "bandana", category: "neck" }, {
    id: "hat",
    category: "head",
  }];
  assert.deepEqual(dressed(["hat", "scarf"], "bandana", all), ["bandana", "hat"]);
  assert.deepEqual(dressed(["hat", "scarf"], "scarf", all), ["hat"]);
  assert.deepEqual(dressed([], "hat", all), ["hat"]);
});

Deno.test("entries of one day stand together, in their order", () => {
  const entries = [{ day: "2", id: "a" }, { day: "2", id: "b" }, { day: "1", id: "c" }];
  assert.deepEqual(byDay(entries).map(({ day, entries: own }) => [day, own.map(({ id }) => id)]), [
    ["2", ["a", "b"]],
    ["1", ["c"]],
  ]);
});

function open(...answers) {
  const { fetch, requests } = fakeFetch(...answers);
  const client = createClient({ fetch, session: { authorized: (send) => send("token") } });
  let count = 0;
  const keys = createKeys(() => `k-${++count}`);
  const companion = createAnswers({ client, kept: fakeKept(), product: "companion", concerns });
  return { calls: createCompanionCalls(client, keys), keys, companion, requests };
}

const keysOf = (requests) => requests.map(({ headers }) => headers.get("Idempotency-Key"));

// Guard: a call without an answer is repeated with its key, and one under way is not sent twice (`keys.js`)
Deno.test("a feeding without an answer is repeated with its key, and the next one has another", async () => {
  const { calls, requests } = open(new TypeError("x"), problem(503, "unavailable"), json({}), json({}));
  await assert.rejects(calls.feed("kibble"));
  await assert.rejects(calls.feed("kibble"));
  await calls.feed("kibble");
  await calls.feed("kibble");
  assert.deepEqual(keysOf(requests), ["k-1", "k-1", "k-1", "k-2"]);
});

// Guard: a refusal ends a key (`keys.js`)
Deno.test("a refusal is an answer, so the next attempt has a new key; a rate limit is none", async () => {
  const { calls, requests } = open(problem(409, "not_enough_energy"), problem(429, "rate_limited"), json({}));
  for (let attempt = 0; attempt < 2; attempt++) await assert.rejects(calls.feed("tuna"));
  await calls.feed("tuna");
  assert.deepEqual(keysOf(requests), ["k-1", "k-2", "k-2"]);
});

Deno.test("another body and another thing have other keys", async () => {
  const { calls, requests } = open(new TypeError("x"));
  for (
    const act of [
      () => calls.feed("kibble"),
      () => calls.feed("tuna"),
      () => calls.buy("hat", "gems"),
      () => calls.buy("scarf", "gems"),
      () => calls.buy("hat", "energy"),
    ]
  ) {
    await assert.rejects(act());
  }
  await assert.rejects(calls.buy("hat", "gems"));
  assert.deepEqual(keysOf(requests), ["k-1", "k-2", "k-3", "k-4", "k-5", "k-3"]);
});

// Guard: a call without an answer is repeated with its key, and one under way is not sent twice (`keys.js`)
Deno.test("two taps at once are one call", async () => {
  const { calls, requests } = open(json({ wallet: {} }));
  const [one, two] = await Promise.all([calls.cure(), calls.cure()]);
  assert.deepEqual([one, requests.length], [two, 1]);
});

Deno.test("a sign-out forgets the keys of calls without an answer", async () => {
  const { calls, keys, requests } = open(new TypeError("x"));
  await assert.rejects(calls.revive());
  keys.reset();
  await assert.rejects(calls.revive());
  assert.deepEqual(keysOf(requests), ["k-1", "k-2"]);
});

// Guard: a hint asks again for what it may have changed (`reckoning.js`)
Deno.test("a hint asks again for what it may have changed, and for nothing else", async () => {
  const { companion, requests } = open(() => json({}, { headers: { ETag: '"1"' } }));
  const screen = new AbortController();
  const { settings, devices, today, day, pet, wallet, catalog } = questions;
  for (const one of [settings(), devices(), today(), day("2026-03-02"), pet(), wallet(), catalog()]) {
    companion.watch(one, screen.signal);
  }
  await settled();
  const asked = async (type) => {
    const before = requests.length;
    await companion.apply({ type, data: {} });
    return requests.slice(before).map(({ url }) => url.slice("/v1/companion/".length)).sort();
  };
  assert.deepEqual(await asked("companion.day"), ["day", "days/2026-03-02", "devices", "settings"]);
  assert.deepEqual(await asked("companion.pet"), ["catalog", "pet"]);
  assert.deepEqual(await asked("companion.wallet"), ["catalog", "day", "days/2026-03-02", "pet", "wallet"]);
  assert.deepEqual(await asked("focus.now"), []);
  assert.equal((await asked("reconnected")).length, 7);
});
