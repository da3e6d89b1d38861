import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { createCanvas, GlobalFonts } from "@napi-rs/canvas";
import { expect, it } from "vitest";
import { fontsFor } from "#media/captions/fonts/caption-fonts.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";

type ShrinkFile = { removeSvg: (path: string) => void };

const EMOJI = "😀👨‍👩‍👧‍👦🇩🇪👍🏽❤️1️⃣🫱🏻‍🫲🏿";
const TABLES_OFFSET = 12;
const ENTRY_BYTES = 16;

it("the emoji font without its SVG pictures draws the same", async () => {
  const { removeSvg }: ShrinkFile = await import(new URL("../bin/trim/shrink-file.js", import.meta.url).href);
  const folder = await makeScratchFolder();
  const [whole, trimmed] = [path.join(folder, "whole.ttf"), path.join(folder, "trimmed.ttf")];
  copyFileSync(fontsFor(EMOJI).find(({ family }) => family === "Clipmill Emoji")!.path, trimmed);
  removeSvg(trimmed);
  writeFileSync(whole, addRedSvg(readFileSync(trimmed)));
  copyFileSync(whole, trimmed);
  removeSvg(trimmed);
  expect(readFileSync(whole).length).toBeGreaterThan(readFileSync(trimmed).length);
  const drawn = draw(trimmed);
  expect(new Set(drawn).size).toBeGreaterThan(50);
  expect(drawn.equals(draw(whole))).toBe(true);
});

/** Adds a red square for every glyph (OpenType specification, "SVG "). */
function addRedSvg(font: Buffer): Buffer {
  const picture = Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg"><path fill="red" d="M0-900h900v900H0z"/></svg>`);
  const table = Buffer.alloc(24 + picture.length);
  table.writeUInt32BE(10, 2);
  table.writeUInt16BE(1, 10);
  table.writeUInt16BE(0xff_ff, 14);
  table.writeUInt32BE(14, 16);
  table.writeUInt32BE(picture.length, 20);
  picture.copy(table, 24);
  const count = font.readUInt16BE(4);
  const end = TABLES_OFFSET + count * ENTRY_BYTES;
  const entries = Array.from({ length: count }, (_, i) => {
    const entry = Buffer.from(font.subarray(TABLES_OFFSET + i * ENTRY_BYTES, TABLES_OFFSET + (i + 1) * ENTRY_BYTES));
    entry.writeUInt32BE(entry.readUInt32BE(8) + ENTRY_BYTES, 8);
    return entry;
  });
  const added = Buffer.alloc(ENTRY_BYTES, "SVG ");
  added.writeUInt32BE(font.length + ENTRY_BYTES, 8);
  added.writeUInt32BE(table.length, 12);
  const head = Buffer.from(font.subarray(0, TABLES_OFFSET));
  head.writeUInt16BE(count + 1, 4);
  const sorted = [...entries, added].toSorted((a, b) => a.compare(b));
  return Buffer.concat([head, ...sorted, font.subarray(end), table]);
}

function draw(font: string): Buffer {
  const family = path.basename(font);
  expect(GlobalFonts.registerFromPath(font, family)).not.toBeNull();
  const canvas = createCanvas(1_000, 140);
  const context = canvas.getContext("2d");
  context.font = `100px "${family}"`;
  context.fillText(EMOJI, 10, 110);
  return canvas.data();
}
