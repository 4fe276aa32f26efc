/**
 * Makes a picture ready to send: upright, at most 2048 pixels long, JPEG. It is encoded anew, so that neither the place
 * nor anything else of the camera's data leaves the phone.
 */

export const LONGEST_SIDE = 2048;
const QUALITY = 0.92;
/** Pictures that are ready: encoding one twice would only make it worse. */
const ready = new WeakSet();

/**
 * Takes a picture that another thread has made ready.
 * @param {Blob} picture
 */
export const setPrepared = (picture) => void ready.add(picture);

/**
 * The size that fits, never larger than the original.
 * @param {number} width
 * @param {number} height
 */
export function fittingSize(width, height) {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(width, height));
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

/**
 * The picture as a JPEG. A file is given back as it is where this browser cannot decode it, such as HEIC outside Safari, or
 * gives pages another picture than the drawn one: the service reads it and removes the data itself.
 * @param {Blob | ImageBitmap} source
 * @returns {Promise<Blob>}
 */
export async function prepared(source) {
  if (!(source instanceof Blob)) return await encoded(source);
  if (ready.has(source)) return source;
  /** @type {ImageBitmap | undefined} */
  let bitmap;
  try {
    bitmap = await createImageBitmap(source, { imageOrientation: "from-image" });
    const picture = await encoded(bitmap);
    if (!await isAlike(picture, bitmap)) return source;
    ready.add(picture);
    return picture;
  } catch {
    return source;
  } finally {
    bitmap?.close();
  }
}

const SIDE = 16;
/** Differences of a channel: what some browsers add to each reading, which nobody sees, and what the encoding may change. */
const NOISE = 4, LOSS = 12;

/** The pixels of a picture, made small. @param {ImageBitmap | null} picture null: a known colour */
function pixelsOf(picture) {
  const context = new OffscreenCanvas(SIDE, SIDE).getContext("2d", {
    alpha: false,
    willReadFrequently: true,
  });
  if (!context) throw new Error("This browser cannot draw pictures.");
  context.fillStyle = "rgb(200 100 50)";
  context.fillRect(0, 0, SIDE, SIDE);
  if (picture) context.drawImage(picture, 0, 0, SIDE, SIDE);
  return context.getImageData(0, 0, SIDE, SIDE).data;
}

/** Whether a browser gives what was drawn. Firefox and its relatives can give noise or white instead. */
export function readsPixels() {
  return pixelsOf(null).every((value, at) =>
    Math.abs(value - (/** @type {number} */ ([200, 100, 50, 255][at % 4]))) <= NOISE
  );
}

/**
 * Whether an encoded picture looks like the one that was drawn. A canvas that is too large stays empty without an error.
 * @param {Blob} picture
 * @param {ImageBitmap} original
 */
async function isAlike(picture, original) {
  if (!readsPixels()) return false;
  const decoded = await createImageBitmap(picture);
  const [made, drawn] = [pixelsOf(decoded), pixelsOf(original)];
  decoded.close();
  return made.reduce((sum, value, at) => sum + Math.abs(value - (drawn[at] ?? 0)), 0) / made.length <= LOSS;
}

/** @param {ImageBitmap} bitmap */
async function encoded(bitmap) {
  const { width, height } = fittingSize(bitmap.width, bitmap.height);
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { alpha: false });
  if (!context) throw new Error("This browser cannot draw pictures.");
  // A transparent picture would turn black.
  context.fillStyle = "white";
  context.fillRect(0, 0, width, height);
  context.imageSmoothingQuality = "high";
  context.drawImage(bitmap, 0, 0, width, height);
  return await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
}
