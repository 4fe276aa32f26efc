/** Draws the icons, lines of one weight on a grid of 24, and the larger drawings of the empty states. */

import { html } from "../app/render.js";

const round = "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z";
const paths = {
  back: "M15 5l-7 7 7 7",
  forward: "M9 5l7 7-7 7",
  down: "M6 9.5l6 6 6-6",
  up: "M12 19V6M6.5 11.5L12 6l5.5 5.5",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 12.5l4.5 4.5L19 7.5",
  plus: "M12 5v14M5 12h14",
  pause: "M9 6v12M15 6v12",
  more: "M4.5 11.5h1v1h-1zM11.5 11.5h1v1h-1zM18.5 11.5h1v1h-1z",
  camera:
    "M4 8.5A1.5 1.5 0 0 1 5.5 7h2.2l1.5-2.2h5.6L16.3 7h2.2A1.5 1.5 0 0 1 20 8.5v9a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5zM12 16.2a3.4 3.4 0 1 0 0-6.8 3.4 3.4 0 0 0 0 6.8z",
  settings:
    "M4 8h9M17 8h3M4 16h3M11 16h9M15 10a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM9 18a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  person: "M12 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM5 19.5c.8-3 3.6-4.5 7-4.5s6.2 1.5 7 4.5",
  invite:
    "M10 12a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM3.5 19.5c.7-3 3.2-4.5 6.5-4.5s5.8 1.5 6.5 4.5M18.5 8v6M15.5 11h6",
  flip: "M4 12a8 8 0 0 1 13.7-5.6L20 8.5M20 4v4.5h-4.5M20 12a8 8 0 0 1-13.7 5.6L4 15.5M4 20v-4.5h4.5",
  flash: "M13 3L5.5 13.5H12L11 21l7.5-10.5H12z",
  share: "M12 14.5V4M8 7.5l4-4 4 4M5 12v6.5A1.5 1.5 0 0 0 6.5 20h11a1.5 1.5 0 0 0 1.5-1.5V12",
  moon: "M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5z",
  cat: "M5 10V4l4.5 3h5L19 4v6c1 5-2 9.5-7 9.5S4 15 5 10zM9.5 12v.2M14.5 12v.2",
  bell: "M5 17h14M6.5 17v-6a5.5 5.5 0 0 1 11 0v6M10 20h4",
  mute: "M5 17h12M6.5 17v-6c0-.8.2-1.6.5-2.3M9 6.4A5.5 5.5 0 0 1 17.5 11v2.5M10 20h4M4 4l16 16",
  trash: "M5 7h14M10 7V4.5h4V7M7 7l.8 12.5h8.4L17 7",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16.2 16.2l4.3 4.3",
  alert: `M12 7.5v5.5M12 16.3v.1${round}`,
  about: `M12 11.5v5M12 7.9v.1${round}`,
  clock: `M12 7.5V12l3 2${round}`,
  block: `${round}M6 6l12 12`,
  copy: "M9 9h10v11H9zM15 9V4H5v11h4",
  leave: "M14 4H6.5A1.5 1.5 0 0 0 5 5.5v13A1.5 1.5 0 0 0 6.5 20H14M10 12h10M16.5 8.5L20 12l-3.5 3.5",
  photos:
    "M4 6.5A1.5 1.5 0 0 1 5.5 5h13A1.5 1.5 0 0 1 20 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5zM4 15.5l4.5-4 4 3.5 3-2.5 4.5 4M15 9.9v.1",
  device:
    "M8 3h8a1.5 1.5 0 0 1 1.5 1.5v15A1.5 1.5 0 0 1 16 21H8a1.5 1.5 0 0 1-1.5-1.5v-15A1.5 1.5 0 0 1 8 3zM11 18h2",
};

/** @typedef {keyof typeof paths} IconName */

/** @param {IconName} name @param {number} [size] */
export const icon = (name, size = 24) =>
  line(paths[name], size, /back|forward|leave/.test(name) ? "turns" : null);

/** @param {string} path @param {number} [size] @param {string | null} [kind] */
export const line = (path, size = 24, kind = null) => html`
  <svg
    class=${kind}
    viewBox="0 0 24 24"
    --side=${`${size / 16}rem`}
    aria-hidden="true"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
  >
    <path d=${path} />
  </svg>
`;

// Each drawing is two paths: the lines, and the one warm line.
const drawings = {
  box: [
    "M8 102h124M30 62h80v36a4 4 0 0 1-4 4H34a4 4 0 0 1-4-4zM26 52h88v10H26zM48 52h44M40 76h26M74 88h24M54 52l-4-38 37-4 5 42M57 20l24-2.6 2.5 23-24 2.6z",
    "M64.5 32.5a5 5 0 1 0 9.9-1 5 5 0 1 0-9.9 1",
  ],
  letter: [
    "M22 36h96v62H22zM22 38l48 36 48-36M22 96l34-32M118 96L84 64M14 104h112",
    "M70 12v12M54 16l5 10M86 16l-5 10",
  ],
  prints: [
    "M6 22c40 16 88 16 128 0M24 27l-3 48 30 2 3-46M27 36l20 1.3-1.4 22-20-1.3zM57 32v50h30V32M62 38h20v24H62zM90 31l4 46 30-3-5-46M96 37l20-2 2 22-20 2z",
    "M38 24v10M72 26v10M105 24v10",
  ],
  tunnel: [
    "M6 100h128M28 100V68a42 42 0 0 1 84 0v32M42 100V70a28 28 0 0 1 56 0v30M56 100l8-26M84 100l-8-26M60 88h20M6 80c8-6 14-8 22-8M134 80c-8-6-14-8-22-8",
    "M62 58h16v12H62z",
  ],
  door: [
    "M14 104h112M42 104V16a4 4 0 0 1 4-4h48a4 4 0 0 1 4 4v88M52 22h36v30H52zM52 62h36v32H52z",
    "M90 58v.2",
  ],
  home: [
    "M46 6h48a8 8 0 0 1 8 8v84a8 8 0 0 1-8 8H46a8 8 0 0 1-8-8V14a8 8 0 0 1 8-8zM64 100h12M50 22h12v12H50zM78 22h12v12H78zM50 46h12v12H50z",
    "M78 49a3 3 0 0 1 3-3h6a3 3 0 0 1 3 3v6a3 3 0 0 1-3 3h-6a3 3 0 0 1-3-3zM84 72v14M79 77l5-5 5 5",
  ],
};

/** @param {keyof typeof drawings} name */
export const drawing = (name) => html`
  <svg class="drawing" viewBox="0 0 140 112" aria-hidden="true">
    <path d=${drawings[name][0]} />
    <path class="warm" d=${drawings[name][1]} />
  </svg>
`;
