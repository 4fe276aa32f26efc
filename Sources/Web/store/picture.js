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
 * The picture as a JPEG. A file that this browser cannot decode, such as HEIC outside Safari, is given back as it is:
 * the service reads it and removes the data itself.
 * @param {Blob | ImageBitmap} source
 * @returns {Promise<Blob>}
 */
export async function prepared(source) {
  if (!(source instanceof Blob)) return await encoded(source);
  if (ready.has(source)) return source;
  /** @type {ImageBitmap} */
  let bitmap;
  try {
    bitmap = await createImageBitmap(source, { imageOrientation: "from-image" });
  } catch {
    return source;
  }
  try {
    return await encoded(bitmap);
  } finally {
    bitmap.close();
  }
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
  const picture = await canvas.convertToBlob({ type: "image/jpeg", quality: QUALITY });
  ready.add(picture);
  return picture;
}
