"""Browsers that keep nothing, lose what they kept, or cannot show a picture."""

import pytest
from playwright.sync_api import expect

from person import STORES, t
from service import ROOT

# As in Chromium with all cookies blocked: the names throw.
BLOCKED = """
for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
  Object.defineProperty(globalThis, name, { get() { throw new DOMException("blocked", "SecurityError"); } });
}
navigator.serviceWorker.register = () => Promise.reject(new DOMException("blocked", "SecurityError"));
LockManager.prototype.request = () => Promise.reject(new DOMException("blocked", "SecurityError"));
globalThis.BroadcastChannel = undefined;
"""
FAILING = """
IDBFactory.prototype.open = function () {
  const request = new EventTarget();
  setTimeout(() => request.onerror?.(), 0);
  request.error = new DOMException("Internal error opening backing store", "UnknownError");
  return request;
};
"""
SILENT = "IDBFactory.prototype.open = () => new EventTarget(); CacheStorage.prototype.open = () => new Promise(() => {});"
FULL = """
IDBObjectStore.prototype.put = () => { throw new DOMException("full", "QuotaExceededError"); };
Cache.prototype.put = () => Promise.reject(new DOMException("full", "QuotaExceededError"));
Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
"""
# As on an iPhone that wakes up: the first use of a connection fails.
LOST = """{
  const { transaction } = IDBDatabase.prototype;
  const used = new WeakSet();
  let lost = 0;
  IDBDatabase.prototype.transaction = function (...names) {
    if (!used.has(this) && lost++ < 2) throw new DOMException("Connection to Indexed Database server lost.", "UnknownError");
    used.add(this);
    return transaction.apply(this, names);
  };
}"""


@pytest.mark.parametrize("script", [BLOCKED, FAILING, SILENT, FULL, LOST],
                         ids=["blocked", "failing", "silent", "full", "lost"])
# Guard: without storage a photo is sent from memory, once (`database.js`)
def test_a_photo_arrives_also_from_a_browser_that_keeps_nothing(two, service, script):
    ada, grace, group = two
    ada.context.add_init_script(script)
    ada.go(f"/g/{group}")
    ada.take_photo("Family")
    expect(ada.photos()).to_have_count(1, timeout=30_000)
    expect(grace.photos()).to_have_count(1, timeout=30_000)
    assert service.photos_of(group) == 1


def test_a_photo_that_waits_in_memory_asks_its_sender_to_stay(two):
    ada, _, group = two
    ada.context.add_init_script(BLOCKED)
    ada.go(f"/g/{group}")
    # Without a worker the camera's screen comes from the network.
    ada.page.wait_for_selector("html[data-complete]")
    ada.context.set_offline(True)
    ada.take_photo("Family")
    ada.sees(t("banner.stay"))
    ada.context.set_offline(False)
    expect(ada.photos()).to_have_count(1, timeout=30_000)
    expect(ada.page.get_by_text(t("banner.stay"))).to_have_count(0)


HEIC = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(2_000)
FILES = {"camera.notPicture": b"%PDF-1.7 a bill", "camera.film": b"\0\0\0\x14ftypqt  \0\0\0\0qt  \0\0\0\x08wide",
         "camera.empty": b""}


def open_file_choice(ada, group, words="camera.none"):
    ada.context.add_init_script("navigator.mediaDevices.getUserMedia = () => Promise.reject(new Error('none'));")
    ada.go(f"/g/{group}")
    ada.link("groups.take", group="Family").click()
    ada.sees(t(words))
    return ada.page.locator("input[type=file]")


# Guard: a picture that is not seen goes by the button only (`preview.js`)
def test_a_picture_that_the_browser_cannot_show_goes_by_the_button_only(two):
    ada, _, group = two
    choice = open_file_choice(ada, group)
    # Phones give it any name and type.
    choice.set_input_files({"name": "photo.jpg", "mimeType": "", "buffer": HEIC})
    ada.sees(t("preview.unseen"))
    ada.page.wait_for_timeout(4_000)
    expect(ada.button("preview.send", groups="Family")).to_be_visible()


# Guard: what is not a picture is refused at once (`picture-kind.js`)
def test_what_is_no_picture_is_refused_before_the_queue(two):
    ada, _, group = two
    choice = open_file_choice(ada, group)
    for key, content in FILES.items():
        choice.set_input_files({"name": "photo.jpg", "mimeType": "image/jpeg", "buffer": content})
        ada.sees(t(key))
    choice.set_input_files({"name": "photo.heic", "mimeType": "", "buffer": HEIC + bytes(10 * 2**20)})
    ada.sees(t("camera.tooLarge", size=10))
    assert ada.page.evaluate("async () => { const { uploads } = " + STORES + "; return uploads.all.length; }") == 0


TRANSLATE = """() => {
  const walker = document.createTreeWalker(document.querySelector("#screen"), NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
  for (const text of texts) {
    const outer = document.createElement("font"), inner = document.createElement("font");
    inner.textContent = `[${text.data}]`;
    outer.append(inner);
    text.replaceWith(outer);
  }
}"""


# Guard: a translated text is shown once (`render.js`)
def test_a_translated_page_shows_each_text_once_after_a_change(two):
    ada, grace, _ = two
    ada.sees(t("group.nothing"))
    ada.page.evaluate(TRANSLATE)
    grace.take_photo("Family")
    expect(ada.photos()).to_have_count(1, timeout=30_000)
    text = ada.page.locator("#screen").inner_text()
    assert t("group.nothing") not in text and text.count("Family") == 1, text


# Guard: noise is not sent (`picture.js`)
def test_a_canvas_that_gives_noise_is_not_sent(two, service):
    ada, grace, group = two
    ada.context.add_init_script("""{
      const { convertToBlob } = OffscreenCanvas.prototype;
      globalThis.Worker = class { constructor() { throw new Error("no threads"); } };
      const { getImageData } = OffscreenCanvasRenderingContext2D.prototype;
      OffscreenCanvasRenderingContext2D.prototype.getImageData = function (...area) {
        const image = getImageData.apply(this, area);
        crypto.getRandomValues(image.data);
        return image;
      };
      globalThis.sent = [];
      const { send } = XMLHttpRequest.prototype;
      XMLHttpRequest.prototype.send = function (body) { if (body instanceof Blob) sent.push(body.size); send.call(this, body); };
    }""")
    # The live picture would be noise, too.
    choice = open_file_choice(ada, group, "camera.hidden")
    sample = ROOT / "docs/sample.jpg"
    choice.set_input_files(sample)
    ada.button("preview.send", groups="Family").click()
    expect(grace.photos()).to_have_count(1, timeout=30_000)
    assert ada.page.evaluate("sent") == [sample.stat().st_size]
