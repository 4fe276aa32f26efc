/**
 * Decodes a ThumbHash, at most 25 bytes that describe a picture's colours as a sum of waves, to 16 × 16 pixels that the
 * browser stretches. Stored photos have no transparency, so its bits are not read.
 */

export const SIDE = 16;

/** @param {string} base64 @returns {Uint8ClampedArray<ArrayBuffer> | null} RGBA, or null for a text that is not a hash */
export function decode(base64) {
  const hash = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  if (hash.length < 5) return null;
  const byte = (/** @type {number} */ at) => hash[at] ?? 0;
  const head = byte(0) | (byte(1) << 8) | (byte(2) << 16);
  const scales = byte(3) | (byte(4) << 8);
  const short = Math.max(3, scales & 7);
  const [across, down] = scales >> 15 ? [7, short] : [short, 7];
  let nibble = 10;
  /** @param {number} base @param {number} columns @param {number} rows @param {number} scale */
  const channel = (base, columns, rows, scale) => {
    /** @type {[number, number, number][]} */
    const waves = [];
    for (let y = 0; y < rows; y++) {
      for (let x = y ? 0 : 1; x * rows < columns * (rows - y); x++, nibble++) {
        const strength = ((byte(nibble >> 1) >> ((nibble & 1) << 2)) & 15) / 7.5 - 1;
        waves.push([x, y, strength * scale * 2]);
      }
    }
    return (/** @type {number} */ px, /** @type {number} */ py) =>
      waves.reduce((sum, [x, y, strength]) => sum + strength * Math.cos(px * x) * Math.cos(py * y), base);
  };
  const light = channel((head & 63) / 63, across, down, ((head >> 18) & 31) / 31);
  const yellow = channel(((head >> 6) & 63) / 31.5 - 1, 3, 3, ((scales >> 3) & 63) / 63 * 1.25);
  const red = channel(((head >> 12) & 63) / 31.5 - 1, 3, 3, ((scales >> 9) & 63) / 63 * 1.25);
  const pixels = new Uint8ClampedArray(SIDE * SIDE * 4);
  for (let at = 0; at < SIDE * SIDE; at++) {
    const px = Math.PI / SIDE * (at % SIDE + 0.5);
    const py = Math.PI / SIDE * (Math.floor(at / SIDE) + 0.5);
    const l = light(px, py), q = red(px, py);
    const b = l - 2 / 3 * yellow(px, py);
    const r = (3 * l - b + q) / 2;
    pixels.set([r * 255, (r - q) * 255, b * 255, 255], at * 4);
  }
  return pixels;
}
