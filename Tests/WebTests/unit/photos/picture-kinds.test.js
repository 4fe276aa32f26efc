/** What a chosen file is, by its bytes. */

import assert from "node:assert/strict";
import { kindOfFile } from "../../../../Sources/Web/store/uploads/picture-kind.js";

const box = (brands) => "\0\0\0" + String.fromCharCode(8 + brands.length) + "ftyp" + brands;

for (
  const [bytes, kind] of [
    ["\xff\xd8\xff\xe1", "picture"],
    ["\x89PNG\r\n", "picture"],
    ["RIFF\0\0\0\0WEBPVP8 ", "picture"],
    [box("heic\0\0\0\0mif1heic"), "picture"],
    [box("isom\0\0\0\0mif1avif"), "picture"],
    [box("avif\0\0\0\0"), "picture"],
    [box("qt  \0\0\0\0qt  "), "film"],
    [box("isom\0\0\x02\0isomiso2avc1mp41"), "film"],
    ["\0\0\0\x08wide\0\0\0\0mdat", "film"],
    ["\x1aE\xdf\xa3webm", "film"],
    ["RIFF\0\0\0\0AVI LIST", "film"],
    ["%PDF-1.7", "other"],
    ["PK\x03\x04", "other"],
    ["<html>", "other"],
    ["GIF89a", "unknown"],
    ["just a note", "unknown"],
    ["", "empty"],
  ]
) {
  // Guard: what is not a picture is refused at once (`picture-kind.js`)
  Deno.test(`${JSON.stringify(bytes)} is ${kind}`, async () => {
    const file = new Blob([Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))]);
    assert.equal(await kindOfFile(file), kind);
  });
}
