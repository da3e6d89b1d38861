import { expect, test } from "vitest";
import {
  ANIMATED_WEBP,
  joinPng,
  makePng,
  pngChunk,
  pngHeader,
  TRANSLUCENT_WEBP,
  WEBP,
} from "#tests/support/media/make-image.ts";
import { readImageHeader } from "./image-header.ts";

const RED = [255, 0, 0, 255];

test.each([
  ["a PNG", makePng(30, 20, RED), { format: "png", width: 30, height: 20 }],
  ["a lossless WebP", WEBP, { format: "webp", width: 300, height: 200 }],
  ["a lossy WebP with alpha", TRANSLUCENT_WEBP, { format: "webp", width: 40, height: 20 }],
])("reads the size of %s", (_, bytes, header) => {
  // Bytes after the picture are ignored.
  for (const then of ["", "\n", "more"]) {
    const file = Buffer.concat([bytes, Buffer.from(then)]);
    expect(readImageHeader(file)).toEqual({ ...header, endBytes: bytes.length });
  }
});

const STILL = "This image is animated. Use a still PNG or WebP image.";
const DAMAGED = "The image is damaged or incomplete.";
const WEBP_HEADER = Buffer.from("RIFF\0\0\0\0WEBPVP8L\x40\0\0\0\x2f\xff\xff\xff\x0f", "latin1");

test.each([
  ["an SVG", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), "This file is not a PNG or WebP image."],
  ["a GIF", Buffer.from("GIF89a"), "This file is not a PNG or WebP image."],
  ["an empty file", Buffer.alloc(0), "This file is not a PNG or WebP image."],
  ["an animated WebP", ANIMATED_WEBP, STILL],
  ["an animated PNG", makePng(8, 8, RED, [pngChunk("acTL", Buffer.alloc(8))]), STILL],
  ["a truncated PNG", makePng(30, 20, RED).subarray(0, -6), DAMAGED],
  ["a PNG without pixels", joinPng(pngHeader(0, 20)), DAMAGED],
  ["a truncated WebP", WEBP.subarray(0, -4), DAMAGED],
  ["a WebP of its header alone", WEBP_HEADER, DAMAGED],
  [
    "a large PNG",
    joinPng(pngHeader(20_000, 20_000)),
    "This image is 20,000 x 20,000 pixels. The limit is 4,096 x 4,096.",
  ],
  [
    "a PNG with a large compressed text",
    makePng(8, 8, RED, [pngChunk("zTXt", Buffer.alloc(70_000))]),
    "The image's metadata is too large. Export the image again without metadata.",
  ],
])("rejects %s in one sentence", (_, bytes, sentence) => {
  expect(() => readImageHeader(bytes)).toThrow(sentence);
});

test("a WebP canvas smaller than its picture does not hide the picture's size", () => {
  const bytes = Buffer.from(TRANSLUCENT_WEBP);
  // width - 1 and height - 1 of the canvas
  bytes.writeUIntLE(7, 24, 3);
  bytes.writeUIntLE(7, 27, 3);
  expect(readImageHeader(bytes)).toMatchObject({ width: 40, height: 20 });
});

test("never reads past the end of a truncated file", () => {
  for (const bytes of [makePng(30, 20, RED), WEBP, TRANSLUCENT_WEBP, ANIMATED_WEBP]) {
    for (let length = 0; length < bytes.length; length++) {
      expect(() => readImageHeader(bytes.subarray(0, length))).toThrow(/^(The image|This (file|image)) is /);
    }
  }
});
