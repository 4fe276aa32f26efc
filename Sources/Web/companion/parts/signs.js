/** The icons that only Companion has. They are drawn as all others are. */

import { line } from "../../parts/icons.js";

const paths = {
  energy: "M13 3L5.5 13.5H12L11 21l7.5-10.5H12z",
  gem: "M7 4h10l4 5.5L12 20.5 3 9.5zM3 9.5h18M9.5 9.5L12 20.5M14.5 9.5L12 20.5M7 4l2.5 5.5L12 4l2.5 5.5L17 4",
  book:
    "M5 5.5A1.5 1.5 0 0 1 6.5 4H18v13H6.5A1.5 1.5 0 0 0 5 18.5zM5 18.5A1.5 1.5 0 0 0 6.5 20H18v-3M9 8.5h5M9 11.5h3",
  shop: "M5 9h14l-1 11H6zM9 9V7a3 3 0 0 1 6 0v2",
  hanger:
    "M12 9.5V8.5c1.2-.3 2-1.2 2-2.3a2 2 0 1 0-4 0M12 9.5L3.5 16c-1 .8-.5 2 .8 2h15.4c1.3 0 1.8-1.2.8-2z",
  bowl:
    "M3.5 12h17l-1.8 6a1.5 1.5 0 0 1-1.4 1H6.7a1.5 1.5 0 0 1-1.4-1zM6.5 12c.3-2 1.8-3 3.5-2.5C10.8 7.8 14 7.8 14.5 9.5c1.7-.5 3 .7 3 2.5",
  heart: "M12 19.5C7 16 4 13 4 9.5A3.9 3.9 0 0 1 12 8a3.9 3.9 0 0 1 8 1.5c0 3.5-3 6.5-8 10z",
  smile: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM8.5 14c.8 1.4 2 2 3.5 2s2.7-.6 3.5-2M9 9.5v.2M15 9.5v.2",
  leaf: "M5 19c0-9 4-14 14-14 0 10-5 14-11 14-1.5 0-3-.7-3-.7M5 21c1-5 4-8.5 8.5-10.5",
  door: "M6 21V4.5A1.5 1.5 0 0 1 7.5 3h9A1.5 1.5 0 0 1 18 4.5V21M3.5 21h17M14.5 12v.2",
  spark: "M12 3.5c.6 5 3 7.4 8 8-5 .6-7.4 3-8 8-.6-5-3-7.4-8-8 5-.6 7.4-3 8-8z",
  pencil: "M4.5 19.5l1-4L16 5l3 3L8.5 18.5zM13.5 7.5l3 3",
};

/** @typedef {keyof typeof paths} SignName */

/** @param {SignName} name @param {number} [size] */
export const sign = (name, size = 24) => line(paths[name], size);
