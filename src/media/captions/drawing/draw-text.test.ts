import path from "node:path";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { CAPTION_POSITIONS, CAPTION_SIZES, CAPTION_STYLES } from "#contract/jobs/jobs.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { type CaptionLook, DEFAULT_LOOK } from "../layout/caption-shape.ts";
import { drawCaption, drawWatermark } from "./draw-text.ts";
import { captionAreaOf, safeAreaOf } from "../layout/frame-areas.ts";

type Pixel = { red: number; green: number; blue: number; alpha: number };

const folder = await makeScratchFolder();
const file = path.join(folder, "drawing.png");
const FRAME = { width: 360, height: 640 };
const LOOK = DEFAULT_LOOK;
const ARABIC = "مرحبا بالعالم، انتظر النهاية مع Clipmill 2024 🍓";
const JAPANESE = "今日はとても天気がいいので散歩に行きました。「最高」でした！";
const TEXTS = {
  "1 character": "W",
  "20 characters": "Wait for the pour, ok",
  "200 characters": "Three sips in and the inbox looks (much) smaller than it did. ".repeat(4).slice(0, 200),
  "2,000 characters": "Three sips in and the inbox looks (much) smaller than it did. ".repeat(40).slice(0, 2_000),
  "a word of 2,000 characters": "W".repeat(2_000),
  emoji: "😀👨‍👩‍👧‍👦🇩🇪👍🏽❤️".repeat(12),
  Arabic: ARABIC.repeat(3),
  Japanese: JAPANESE.repeat(3),
  Thai: "วันนี้อากาศดีมากเราไปเดินเล่นที่สวนสาธารณะกันเถอะนะ ปู่ฎีกา",
  Devanagari: "आज मौसम बहुत अच्छा है, चलो पार्क में घूमने चलते हैं। क्षत्रिय",
  Burmese: "ကြွေးကျွန်ုပ် အဆုံးထိကြည့်ပါ၊ အံ့သြစရာကောင်းတယ်",
  Telugu: "స్త్రీ క్ష్ముడు చివరి వరకు చూడండి, ఇది అద్భుతంగా ఉంది",
  Khmer: "ស្ត្រី ព្រឹត្តិ សូមមើលរហូតដល់ចប់ វាអស្ចារ្យណាស់",
  "stacked accents": "ẮẰẴẶ ǺẪ ỆỘ ÅÇĢĶ",
};

/** In frame coordinates; null if no pixel matches. */
async function measure(drawing: { path: string; x: number; y: number }, matches: (pixel: Pixel) => boolean = isSeen) {
  const image = await loadImage(drawing.path);
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const columns = new Set<number>();
  const box = { left: Infinity, right: -1, top: Infinity, bottom: -1, count: 0 };
  for (let i = 0; i < data.length; i += 4) {
    const [red, green, blue, alpha] = [data[i]!, data[i + 1]!, data[i + 2]!, data[i + 3]!];
    if (!matches({ red, green, blue, alpha })) continue;
    const x = drawing.x + ((i / 4) % image.width);
    const y = drawing.y + Math.floor(i / 4 / image.width);
    box.left = Math.min(box.left, x);
    box.right = Math.max(box.right, x + 1);
    box.top = Math.min(box.top, y);
    box.bottom = Math.max(box.bottom, y + 1);
    box.count++;
    columns.add(x);
  }
  const columnGroups = [...columns].filter((x) => !columns.has(x - 1)).length;
  return box.count > 0 ? { ...box, columnGroups, height: box.bottom - box.top } : null;
}

const isLetter = ({ red, alpha }: Pixel) => alpha > 200 && red > 150;
const isSeen = ({ alpha }: Pixel) => alpha > 8;
const isColored = ({ red, green, blue, alpha }: Pixel) =>
  alpha > 200 && Math.max(red, green, blue) - Math.min(red, green, blue) > 50;

async function draw(text: string, look: Partial<CaptionLook> = {}) {
  return (await drawCaption(text, { ...LOOK, ...look }, FRAME, file)).drawing;
}

async function measureCaption(text: string, look: Partial<CaptionLook> = {}, matches?: (pixel: Pixel) => boolean) {
  return await measure((await draw(text, look))!, matches);
}

describe.each(CAPTION_STYLES)("the style %s", (style) => {
  test.each(Object.entries(TEXTS))("keeps %s inside the safe area", async (_, text) => {
    const area = captionAreaOf(FRAME);
    for (const position of ["top", "bottom"] as const) {
      const drawn = (await measureCaption(text, { style, position, size: "large" }))!;
      expect(drawn.left).toBeGreaterThanOrEqual(Math.floor(area.left));
      expect(drawn.right).toBeLessThanOrEqual(Math.ceil(area.right));
      expect(drawn.top).toBeGreaterThanOrEqual(Math.floor(area.top));
      expect(drawn.bottom).toBeLessThanOrEqual(Math.ceil(area.bottom));
    }
  });

  test("draws white letters on a dark background", async () => {
    const white = await measureCaption("Save this", { style }, (p) => p.alpha > 250 && p.red > 250 && p.blue > 250);
    const dark = await measureCaption("Save this", { style }, (p) => p.alpha > 60 && p.red < 60);
    expect(white!.count).toBeGreaterThan(200);
    expect(dark!.count).toBeGreaterThan(200);
    expect(dark!.left).toBeLessThan(white!.left);
    expect(dark!.bottom).toBeGreaterThan(white!.bottom);
  });

  test("never touches the watermark", async () => {
    const mark = await measure((await drawWatermark("@clipmill ẮÇ مرحبا", FRAME, file)).drawing!);
    const area = safeAreaOf(FRAME);
    expect(mark!.right).toBeLessThanOrEqual(Math.ceil(area.right));
    expect(mark!.right).toBeGreaterThan(area.right - 4);
    expect(mark!.bottom).toBeLessThanOrEqual(Math.ceil(area.bottom));
    for (const position of CAPTION_POSITIONS) {
      for (const size of CAPTION_SIZES) {
        const caption = await measureCaption(TEXTS["200 characters"], { style, position, size });
        expect(caption!.bottom).toBeLessThanOrEqual(mark!.top);
      }
    }
  });
});

test("the shadow's letters have a contrast of 4.5 to their surroundings on white footage", async () => {
  const frame = { width: 1_080, height: 1_920 };
  const { drawing } = await drawCaption("Save this for later", { ...LOOK, style: "shadow" }, frame, file);
  const image = await loadImage(drawing!.path);
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const isLetterAt = (x: number, y: number) => data[(y * image.width + x) * 4]! > 240;
  const around: number[] = [];
  for (let y = 4; y < image.height - 4; y++) {
    for (let x = 4; x < image.width - 4; x++) {
      // Two pixels outside a letter's edge; the pixel between is antialiased.
      const isBesideLetter = [-2, 2].some((by) => isLetterAt(x + by, y) || isLetterAt(x, y + by));
      const isEdge = [-1, 0, 1].some((by) => isLetterAt(x + by, y) || isLetterAt(x, y + by));
      if (isBesideLetter && !isEdge) around.push(255 - data[(y * image.width + x) * 4 + 3]!);
    }
  }
  const luminance = around.reduce((sum, value) => sum + (value / 255) ** 2.2, 0) / around.length;
  expect(1.05 / (luminance + 0.05)).toBeGreaterThan(4.5);
});

test.each(["Burmese", "Telugu", "Khmer", "Devanagari", "Thai", "Arabic"] as const)(
  "a box covers all of %s, including marks above and below",
  async (name) => {
    const box = await measureCaption(TEXTS[name], { style: "box" });
    const letters = await measureCaption(TEXTS[name], { style: "box" }, isLetter);
    expect(letters!.top).toBeGreaterThan(box!.top + 1);
    expect(letters!.bottom).toBeLessThan(box!.bottom - 1);
  },
);

test("Arabic letters are joined unless a non-joiner separates them", async () => {
  const joined = await measureCaption("محمد", { style: "shadow", size: "large" }, isLetter);
  const apart = await measureCaption("م\u200Cح\u200Cم\u200Cد", { style: "shadow", size: "large" }, isLetter);
  expect(joined!.columnGroups).toBe(1);
  expect(apart!.columnGroups).toBeGreaterThan(2);
});

test("right-to-left captions run from the right, left-to-right ones from the left", async () => {
  const middle = FRAME.width / 2;
  for (const start of ["مرحبا 2024", "שלום Clipmill"]) {
    expect((await measureCaption(`${start} 🍓`, {}, isColored))!.right).toBeLessThan(middle);
  }
  expect((await measureCaption("Hello مرحبا 🍓", {}, isColored))!.left).toBeGreaterThan(middle);
});

test("Japanese without spaces wraps to several lines", async () => {
  const one = await measureCaption("今日は");
  expect((await measureCaption(JAPANESE))!.height).toBeGreaterThan(one!.height * 2);
});

test.each(["🍓", "❤️", "☀️", "1️⃣", "🇩🇪", "👍🏽", "👨‍👩‍👧‍👦🍓"])("%s is drawn in color", async (emoji) => {
  expect((await measureCaption(emoji, {}, isColored))!.count).toBeGreaterThan(100);
});

test("characters that no font has draw nothing, and no empty boxes beside other text", async () => {
  expect(await draw("ᚠᚢᚠ")).toBeNull();
  expect(await draw(" \n ")).toBeNull();
  expect(await measureCaption("Hello ᚠᚢᚠ")).toEqual(await measureCaption("Hello"));
});

test("a cut caption has a warning with the number of characters shown", async () => {
  const text = TEXTS["200 characters"];
  expect((await drawCaption(text, LOOK, FRAME, file)).warnings).toEqual([]);
  const { warnings } = await drawCaption(text, LOOK, { width: 90, height: 160 }, file);
  expect(warnings).toEqual([
    {
      code: "caption_cut",
      message: expect.stringMatching(/^Only the first \d{2,3} of the caption's \d{3} characters fit in this video\./),
    },
  ]);
});

test("a caption is drawn even on a tiny picture", async () => {
  for (const frame of [
    { width: 16, height: 16 },
    { width: 2, height: 2 },
    { width: 640, height: 24 },
  ]) {
    const drawing = (await drawCaption("Hello there", LOOK, frame, file)).drawing!;
    const image = await loadImage(drawing.path);
    expect(drawing.x + image.width).toBeLessThanOrEqual(frame.width);
    expect(drawing.y + image.height).toBeLessThanOrEqual(frame.height);
  }
});
