import path from "node:path";
import { createCanvas, loadImage } from "@napi-rs/canvas";
import { describe, expect, test } from "vitest";
import { CAPTION_FONTS, CAPTION_STYLES } from "#contract/jobs/jobs.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { type CaptionLook, DEFAULT_LOOK } from "../layout/caption-shape.ts";
import { captionAreaOf, type Frame } from "../layout/frame-areas.ts";
import { colorsOf } from "./paint-text.ts";
import { drawCaption } from "./draw-text.ts";

const folder = await makeScratchFolder();
const file = path.join(folder, "drawing.png");
const FRAME: Frame = { width: 540, height: 960 };
const OTHER_FONTS = CAPTION_FONTS.filter((font) => font !== "sans");

type Color = [red: number, green: number, blue: number, alpha: number];

async function draw(text: string, look: Partial<CaptionLook> = {}, frame = FRAME) {
  const { drawing } = await drawCaption(text, { ...DEFAULT_LOOK, ...look }, frame, file);
  const image = await loadImage(file);
  const context = createCanvas(image.width, image.height).getContext("2d");
  context.drawImage(image, 0, 0);
  const { data } = context.getImageData(0, 0, image.width, image.height);
  const count = (matches: (color: Color) => boolean) => {
    const found = { pixels: 0, left: Infinity, right: -1, top: Infinity, bottom: -1 };
    for (let i = 0; i < data.length; i += 4) {
      if (!matches([data[i]!, data[i + 1]!, data[i + 2]!, data[i + 3]!])) continue;
      const [x, y] = [drawing!.x + ((i / 4) % image.width), drawing!.y + Math.floor(i / 4 / image.width)];
      found.pixels++;
      found.left = Math.min(found.left, x);
      found.right = Math.max(found.right, x + 1);
      found.top = Math.min(found.top, y);
      found.bottom = Math.max(found.bottom, y + 1);
    }
    return found;
  };
  return { data: Buffer.from(data), count, top: drawing!.y, bottom: drawing!.y + image.height };
}

const isWhite = ([red, green, blue, alpha]: Color) => Math.min(red, green, blue) > 200 && alpha > 200;
const isSeen = ([, , , alpha]: Color) => alpha > 8;
const is = (red: number, green: number, blue: number, alpha = 255) => {
  const wanted = [red, green, blue, alpha];
  return (color: Color) => color.every((channel, i) => Math.abs(channel - wanted[i]!) <= 3);
};

async function widthOf(look: Partial<CaptionLook>): Promise<number> {
  const { left, right } = (await draw("Wait for it", look)).count(isWhite);
  return right - left;
}

describe("fonts", () => {
  test("condensed letters are narrower than those of all other fonts, at about the same height", async () => {
    const condensed = await widthOf({ font: "condensed" });
    for (const font of ["sans", "rounded", "serif"] as const) {
      expect(condensed).toBeLessThan((await widthOf({ font })) * 0.85);
    }
    const [sans, other] = [await draw("H"), await draw("H", { font: "condensed" })].map(({ count }) => count(isWhite));
    expect(Math.abs(sans!.bottom - sans!.top - (other!.bottom - other!.top))).toBeLessThanOrEqual(2);
  });

  test.each(CAPTION_FONTS)("%s has fewer pixels in medium than in bold, also in Japanese", async (font) => {
    for (const text of ["Wait for it", "今日は"]) {
      const [medium, bold] = [await draw(text, { font, weight: "medium" }), await draw(text, { font, weight: "bold" })];
      expect(medium.count(isWhite).pixels).toBeLessThan(bold.count(isWhite).pixels * 0.95);
    }
  });

  test.each(CAPTION_FONTS)("in %s, accents and descenders stay inside their box", async (font) => {
    for (const text of ["ÅÇĢĶ gjpqy", "ẮẰẴẶ ǺẪ ỆỘ"]) {
      const { count } = await draw(text, { font, style: "box", size: "large" });
      const [box, letters] = [count(isSeen), count(isWhite)];
      expect(letters.top).toBeGreaterThan(box.top);
      expect(letters.bottom).toBeLessThan(box.bottom);
    }
  });

  test.each(OTHER_FONTS)("captions without letters of %s look as in sans", async (font) => {
    for (const text of ["مرحبا بالعالم 🍓", "今日はとても天気がいい", "Ωραίο"]) {
      expect((await draw(text, { font })).data.equals((await draw(text)).data)).toBe(true);
    }
  });
});

describe("colors", () => {
  test.each(CAPTION_STYLES)("letters in %s have the color", async (style) => {
    const { count } = await draw("Save this", { style, color: "#ff8800" });
    expect(count(is(255, 136, 0)).pixels).toBeGreaterThan(500);
    expect(count(isWhite).pixels).toBe(0);
  });

  test("a box has its color and opacity, and other styles have no box", async () => {
    const box_color = "#00449980";
    expect((await draw("Save", { style: "box", box_color })).count(is(0, 68, 153, 128)).pixels).toBeGreaterThan(1_000);
    expect((await draw("Save", { box_color })).data.equals((await draw("Save")).data)).toBe(true);
  });

  test.each(["outline", "shadow"] as const)("dark letters in %s have white edges", async (style) => {
    const { count } = await draw("Save this", { style, color: "#102030" });
    expect(count(is(16, 32, 48)).pixels).toBeGreaterThan(500);
    expect(count(([red, green, blue, alpha]) => alpha > 60 && Math.min(red, green, blue) > 200).pixels).toBeGreaterThan(
      500,
    );
  });
});

describe("height", () => {
  test.each([0.2, 0.35, 0.62])("a caption's middle is at %d of the height", async (y) => {
    for (const text of ["Save this", "Three sips in and the inbox looks smaller than it did"]) {
      const { top, bottom } = await draw(text, { y, position: "top" });
      expect(Math.abs((top + bottom) / 2 - y * FRAME.height)).toBeLessThanOrEqual(2);
    }
  });

  test.each([{}, { platform: "reels" }] as const)("stays in the safe area of %j", async (platform) => {
    const frame = { ...FRAME, ...platform };
    const area = captionAreaOf(frame);
    expect((await draw("Save this", { y: 0 }, frame)).top).toBeGreaterThanOrEqual(Math.floor(area.top) - 1);
    expect((await draw("Save this", { y: 1 }, frame)).bottom).toBeLessThanOrEqual(Math.ceil(area.bottom) + 1);
  });
});

describe("highlighted words", () => {
  const isYellow = is(255, 214, 10);

  test.each(CAPTION_STYLES)("in %s, are yellow where the caption has them, without asterisks", async (style) => {
    const look = { style, highlight: true };
    const { count } = await draw("Wait for *it* now", look);
    const plain = (await draw("Wait for it now", look)).count(isSeen);
    const yellow = count(isYellow);
    expect(count(isSeen)).toEqual(plain);
    expect(yellow.pixels).toBeGreaterThan(100);
    expect([yellow.left > count(isWhite).left, yellow.right < count(isWhite).right]).toEqual([true, true]);
  });

  test("draws each letter once: no white remains at the edges of highlighted ones", async () => {
    const { count } = await draw("*Save this*", { highlight: true });
    expect(count(([red, green, blue]) => red > 120 && green > 120 && blue > 120).pixels).toBe(0);
  });

  test("right-to-left, the first word is on the right", async () => {
    const { count } = await draw("*مرحبا* بالعالم", { highlight: true });
    expect(count(isYellow).left).toBeGreaterThan(count(isWhite).left);
    expect(count(isYellow).right).toBeGreaterThan(count(isWhite).right);
  });

  test("asterisks are drawn if the setting is off or they are not balanced", async () => {
    const [off, unbalanced] = [await draw("Wait *now*"), await draw("Wait *now", { highlight: true })];
    expect([off, unbalanced].map(({ count }) => count(isYellow).pixels)).toEqual([0, 0]);
    expect(off.count(isWhite).right).toBeGreaterThan((await draw("Wait now")).count(isWhite).right);
  });

  test.each([
    [{}, "#ffd60a"],
    [{ color: "#ffe066" }, "#d70015"],
    [{ color: "#000000" }, "#d70015"],
    [{ color: "#d70015" }, "#000000"],
    [{ style: "box", color: "#000000", box_color: "#ffffff" }, "#d70015"],
    [{ style: "box", color: "#d70015", box_color: "#ffffff" }, "#000000"],
  ] as const)("with %j are %s, which differs from the letters and is legible", (look, highlight) => {
    expect(colorsOf({ ...DEFAULT_LOOK, ...look }).highlight).toBe(highlight);
  });
});
