/** The live picture of the camera asks for the permission once in a visit, and no camera runs while the page is hidden. */

/** @typedef {"asked" | "starting" | "live" | "denied" | "none" | "hidden"} LiveState `hidden`: the browser does not give pages what it shows */

import { readsPixels } from "../../store/uploads/picture.js";

/** @param {() => void} draw @param {AbortSignal} signal the life of the screen */
export function liveCamera(draw, signal) {
  /** @type {LiveState} */
  let state = "asked";
  /** @type {MediaStream | null} */
  let stream = null;
  /** @type {HTMLVideoElement | null} */
  let video = null;
  let facing = "environment";
  let canFlip = false;
  let canFlash = false;
  let flash = false;
  let wanted = false;

  function release() {
    for (const track of stream?.getTracks() ?? []) track.stop();
    stream = null;
  }

  function stop() {
    wanted = false;
    release();
    state = "asked";
  }

  async function start() {
    wanted = true;
    state = "starting";
    draw();
    try {
      if (!readsPixels()) return void (state = "hidden", draw());
      // The shape in which phones take photos, so that the finder shows what a photo will have.
      const video_ = { facingMode: facing, width: { ideal: 3840 }, height: { ideal: 2880 } };
      const found = await navigator.mediaDevices.getUserMedia({ video: video_, audio: false });
      release();
      stream = found;
      if (!wanted || signal.aborted) return release();
      await look(found);
      state = "live";
    } catch (error) {
      state = error instanceof DOMException && error.name === "NotAllowedError" ? "denied" : "none";
    }
    draw();
  }

  /** Learns what this camera can do. @param {MediaStream} found */
  async function look(found) {
    const devices = await navigator.mediaDevices.enumerateDevices();
    canFlip = devices.filter((device) => device.kind === "videoinput").length > 1;
    const [track] = found.getVideoTracks();
    canFlash = /** @type {any} */ (track?.getCapabilities?.())?.torch === true;
    flash = false;
    if (video) video.srcObject = found;
  }

  /** @returns {Promise<Blob | null>} */
  async function take() {
    const [track] = stream?.getVideoTracks() ?? [];
    if (!track || !video) return null;
    // The finder shows at once what was taken, before the picture is made.
    video.pause();
    const Capture = /** @type {any} */ (globalThis).ImageCapture;
    if (Capture && facing === "environment") {
      const shot = (/** @type {object} */ settings) => new Capture(track).takePhoto(settings);
      const photo = shot({ fillLightMode: flash ? "flash" : "off" }).catch(() => shot({})).catch(() => null);
      // Some phones never answer.
      const late = new Promise((resolve) => setTimeout(resolve, 4000));
      const taken = await Promise.race([photo, late]);
      if (taken) return taken;
    }
    const canvas = document.createElement("canvas");
    canvas.width = video.videoWidth;
    canvas.height = video.videoHeight;
    canvas.getContext("2d")?.drawImage(video, 0, 0);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.95));
  }

  document.addEventListener("visibilitychange", () => {
    if (!wanted) return;
    if (document.hidden) release();
    else void start();
  }, { signal });
  signal.addEventListener("abort", stop);

  return {
    get state() {
      return state;
    },
    get front() {
      return facing === "user";
    },
    get canFlip() {
      return canFlip;
    },
    get canFlash() {
      return canFlash;
    },
    get flash() {
      return flash;
    },
    start,
    stop,
    take,
    /** Shows the live picture again. */
    go: () => void video?.play().catch(() => {}),
    /** @param {HTMLVideoElement} element */
    attach(element) {
      video = element;
      video.onresize = () => {
        const page = /** @type {HTMLElement} */ (element.closest(".page"));
        page.style.setProperty("--ratio", `${element.videoWidth / element.videoHeight}`);
      };
      if (stream) video.srcObject = stream;
    },
    flip() {
      facing = facing === "user" ? "environment" : "user";
      void start();
    },
    toggleFlash() {
      flash = !flash;
      draw();
    },
  };
}
