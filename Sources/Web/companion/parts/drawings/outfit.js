/** Draws what a pet wears: on its head, its face and its neck, and what it sits on. */

import { group, moved, oval, path } from "./shapes.js";

/** @import { Shape } from "./shapes.js" */

/** @typedef {"head" | "face" | "neck" | "place"} Spot */

/** @param {number} x @param {number} y @param {string} kind */
const flower = (x, y, kind) =>
  moved(
    `translate(${x} ${y})`,
    path(
      `petal ${kind}`,
      "M0 -4C3 -11 10 -8 7 -2C14 -1 13 7 6 6C6 13 -2 13 -3 7C-9 10 -13 4 -7 0C-12 -5 -6 -11 0 -4Z",
    ),
    oval("heart", 0, 1, 3),
  );

/**
 * Where a thing is worn, which part of the plane shows it alone, and how it is drawn; `alone` where it then looks different.
 * @type {Record<string, { spot: Spot, frame: string, draw: () => Shape, alone?: () => Shape }>}
 */
const ITEMS = {
  red_scarf: {
    spot: "neck",
    frame: "72 128 96 80",
    draw: () =>
      group(
        "worn",
        path("scarf", "M140 148L158 190C160 195 144 202 141 197L126 156Z"),
        path("fringe", "M141 197L143 205M147 197L150 204M153 194L157 201"),
        path(
          "scarf",
          "M86 138C80 144 82 156 90 160C108 168 132 168 150 160C158 156 160 144 154 138C136 150 104 150 86 138Z",
        ),
        path("stitch", "M98 148L95 161M120 152L120 165M142 148L145 161"),
      ),
  },
  blue_bandana: {
    spot: "neck",
    frame: "78 132 84 64",
    draw: () =>
      group(
        "worn",
        path(
          "bandana",
          "M86 140C104 154 136 154 154 140C156 146 155 151 152 154L124 188C122 190 118 190 116 188L88 154C85 151 84 146 86 140Z",
        ),
        path(
          "dots",
          "M104 158L104 158.1M120 158L120 158.1M136 158L136 158.1M112 169L112 169.1M128 169L128 169.1M120 180L120 180.1",
        ),
      ),
  },
  straw_hat: {
    spot: "head",
    frame: "50 12 140 72",
    draw: () =>
      group(
        "worn",
        path(
          "straw",
          "M56 66C64 56 92 52 120 52C148 52 176 56 184 66C186 72 160 78 120 78C80 78 54 72 56 66Z",
        ),
        path("straw", "M84 60C84 34 96 22 120 22C144 22 156 34 156 60C146 66 94 66 84 60Z"),
        path("ribbon", "M84 52C96 58 144 58 156 52L156 60C146 66 94 66 84 60Z"),
        path(
          "weave",
          "M96 36C108 40 132 40 144 36M92 44C106 48 134 48 148 44M68 68C84 72 104 73 120 73C136 73 156 72 172 68",
        ),
      ),
  },
  flower_crown: {
    spot: "head",
    frame: "58 34 124 48",
    draw: () =>
      group(
        "worn",
        path("vine", "M70 70C92 48 148 48 170 70"),
        path(
          "leaf",
          "M80 58C76 50 80 46 86 52ZM160 58C164 50 160 46 154 52ZM106 48C104 40 109 38 112 46ZM134 48C136 40 131 38 128 46Z",
        ),
        flower(74, 66, "rose"),
        flower(96, 55, "white"),
        flower(120, 50, "gold"),
        flower(144, 55, "white"),
        flower(166, 66, "rose"),
      ),
  },
  round_glasses: {
    spot: "face",
    frame: "66 74 108 50",
    draw: () =>
      group(
        "worn",
        oval("glass", 97, 99, 18),
        oval("glass", 143, 99, 18),
        path("rim", "M115 97C117 93 123 93 125 97M79 97L66 92M161 97L174 92"),
        path("glint", "M87 93C89 89 92 87 95 86M133 93C135 89 138 87 141 86"),
      ),
  },
  cozy_blanket: {
    spot: "place",
    frame: "6 2 52 60",
    draw: () =>
      group(
        "worn",
        path(
          "rug",
          "M28 222C40 208 80 204 120 204C160 204 200 208 212 222C222 236 180 244 120 244C60 244 18 236 28 222Z",
        ),
        path(
          "stitch",
          "M44 224C60 214 88 211 120 211C152 211 180 214 196 224C190 233 160 237 120 237C80 237 50 233 44 224Z",
        ),
        path("fringe", "M24 230L14 233M28 238L19 243M216 230L226 233M212 238L221 243"),
      ),
    alone: () =>
      group(
        "worn",
        path("rug", "M10 40L54 40C57 40 58 43 58 46C58 50 57 53 54 53L10 53C7 53 6 50 6 46C6 43 7 40 10 40Z"),
        path(
          "rug second",
          "M12 27L52 27C55 27 56 30 56 33C56 37 55 40 52 40L12 40C9 40 8 37 8 33C8 30 9 27 12 27Z",
        ),
        path(
          "rug",
          "M14 14L50 14C53 14 54 17 54 20C54 24 53 27 50 27L14 27C11 27 10 24 10 20C10 17 11 14 14 14Z",
        ),
        path("stitch", "M16 20L48 20M15 33L49 33M13 46L51 46"),
      ),
  },
};

/** An id may be a word that every object knows, such as `constructor`. @param {string} id */
const itemOf = (id) => Object.hasOwn(ITEMS, id) ? ITEMS[id] : undefined;

/** A thing that this version of Dayly cannot draw is a small badge. */
const badge = () =>
  group(
    "worn",
    oval("emblem", 154, 172, 9),
    path(
      "star-mark",
      "M154 166C154.6 170 156 171.4 160 172C156 172.6 154.6 174 154 178C153.4 174 152 172.6 148 172C152 171.4 153.4 170 154 166Z",
    ),
  );

/** The drawings of an outfit by their spots. @param {string[]} ids */
export function wornBy(ids) {
  /** @type {Record<Spot | "other", Shape[]>} */
  const spots = { head: [], face: [], neck: [], place: [], other: [] };
  for (const id of ids) {
    const item = itemOf(id);
    if (item) spots[item.spot].push(item.draw());
    else if (spots.other.length === 0) spots.other.push(badge());
  }
  return spots;
}

/** A thing alone, as in the shop. @param {string} id */
export function pictureOf(id) {
  const item = itemOf(id);
  return item
    ? { frame: item.frame, shape: (item.alone ?? item.draw)() }
    : { frame: "136 154 36 36", shape: badge() };
}
