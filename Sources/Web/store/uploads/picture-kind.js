/** What a chosen file is, by its first bytes: phones give empty types, and call a HEIC `photo.jpg`. */

/** @typedef {"picture" | "film" | "other" | "unknown" | "empty"} FileKind `unknown`: a picture if the browser shows it */

const PICTURES = /^(hei[cxms]|hev[cxms]|mif[12]|msf1|avi[fs]|miaf|mi[fh]\w)$/;
/** What begins so and is not a picture, whatever a browser makes of it. */
const OTHERS = /^(%PDF|PK|<\?xml|<!doc|<html|\{|ID3|OggS|RIFF....WAVE)/is;
const FILMS = /^(RIFF....AVI |FLV|.E\xdf\xa3|.{3}[\xb3\xba])/s;

/**
 * @param {Blob} file
 * @returns {Promise<FileKind>}
 */
export async function kindOfFile(file) {
  if (file.size === 0) return "empty";
  const bytes = new Uint8Array(await file.slice(0, 64).arrayBuffer());
  const text = String.fromCharCode(...bytes);
  if (/^(\xff\xd8\xff|\x89PNG|RIFF....WEBP)/s.test(text)) return "picture";
  if (/^(ftyp|moov|mdat|wide|skip|free)$/.test(text.slice(4, 8))) return boxes(text, bytes[3] ?? 0);
  if (FILMS.test(text)) return "film";
  return OTHERS.test(text) ? "other" : "unknown";
}

/**
 * Tells pictures from films in a file of boxes (ISO/IEC 14496-12) by its brands.
 * @param {string} text
 * @param {number} length of the first box
 */
function boxes(text, length) {
  const brands = text.slice(8, Math.max(12, length)).match(/.{4}/gs) ?? [];
  return brands.some((brand) => PICTURES.test(brand)) ? "picture" : "film";
}
