import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { DrawingSpec, Footage, Layer } from "../render-plan.ts";
import { cutAtCues } from "./cut-at-cues.ts";

const RATE = { numerator: 10, denominator: 1 };
const FIRST = 7;

/** Texts are shown in turn. Each is drawn `words` times, as when its words are marked in turn. */
type Said = { text: string; gap: number; words: number; frames: number };

function footageOf(said: readonly Said[], frames: number): { stretch: Footage; drawings: DrawingSpec[] } {
  const drawings: DrawingSpec[] = [{ kind: "watermark", text: "Brand" }];
  const layers: Layer[] = [{ drawing: 0, shown: null }];
  let at = 0;
  for (const { text, gap, words, frames: each } of said) {
    at += gap;
    for (let mark = 0; mark < words && at + each < frames; mark += 1) {
      const subtitle = { rows: [[text]], mark } as unknown as Extract<DrawingSpec, { kind: "subtitle" }>["subtitle"];
      const shown = { fromFrame: at, toFrame: (at += each), fadeInFrames: 0, fadeOutFrames: 0 };
      layers.push({ drawing: drawings.push({ kind: "subtitle", subtitle, blank: null }) - 1, shown });
    }
  }
  const cut = { firstFrame: FIRST, frames, startSeconds: 0, seconds: 0, isCutAtStart: false, isCutAtEnd: false };
  return { stretch: { source: 0, cut, layers }, drawings };
}

const saidArbitrary = fc.array(
  fc.record({
    text: fc.string(),
    gap: fc.integer({ min: 0, max: 20 }),
    words: fc.integer({ min: 1, max: 5 }),
    frames: fc.integer({ min: 1, max: 8 }),
  }),
  { minLength: 1, maxLength: 80 },
);
const framesArbitrary = fc.integer({ min: 20, max: 2_000 });

/** What each frame shows, by number of its drawing. */
function framesOf(pieces: readonly Footage[]): string[] {
  return pieces.flatMap(({ cut, layers }) =>
    Array.from({ length: cut.frames }, (_, frame) =>
      layers
        .filter(({ shown }) => shown === null || (shown.fromFrame <= frame && frame < shown.toFrame))
        .map(({ drawing }) => drawing)
        .join(),
    ),
  );
}

test("no frame is lost, repeated or shown otherwise, and no piece is short", () => {
  fc.assert(
    fc.property(saidArbitrary, framesArbitrary, (said, frames) => {
      const { stretch, drawings } = footageOf(said, frames);
      const pieces = cutAtCues(stretch, drawings, RATE);
      expect(framesOf(pieces)).toEqual(framesOf([stretch]));
      expect(pieces.map(({ cut }) => cut.firstFrame)[0]).toBe(FIRST);
      expect(pieces.length).toBeLessThanOrEqual(15);
      for (const { cut, pieceOf } of pieces.length > 1 ? pieces : []) {
        expect(cut.frames).toBeGreaterThanOrEqual(13);
        expect(pieceOf).toBe(stretch);
      }
    }),
  );
});

const isCorrected = ({ seen }: { seen: unknown[] }) => JSON.stringify(seen).includes("corrected");

test("a corrected text changes only the pieces that show it", () => {
  fc.assert(
    fc.property(saidArbitrary, framesArbitrary, fc.nat(), (said, frames, place) => {
      const at = place % said.length;
      const corrected = said.map((one, i) => (i === at ? { ...one, text: `${one.text} corrected` } : one));
      const [before, after] = [said, corrected].map((all) => {
        const { stretch, drawings } = footageOf(all, frames);
        return cutAtCues(stretch, drawings, RATE).map(({ cut, layers }) => ({
          cut,
          seen: layers.map(({ drawing, shown }) => [JSON.stringify(drawings[drawing]), shown]),
        }));
      });
      expect(after!.filter((piece) => !isCorrected(piece))).toEqual(before!.filter((_, i) => !isCorrected(after![i]!)));
    }),
  );
});

test("cuts are between texts, not between the words of one", () => {
  const said = Array.from({ length: 20 }, (_, i) => ({ text: `Line ${i}`, gap: 3, words: 4, frames: 5 }));
  const { stretch, drawings } = footageOf(said, 460);
  const pieces = cutAtCues(stretch, drawings, RATE);
  expect(pieces).toHaveLength(11);
  for (const { cut } of pieces.slice(1)) expect([0, 3]).toContain((cut.firstFrame - FIRST) % 23);
});

test("no cut is within the fade of a caption", () => {
  const said = Array.from({ length: 20 }, (_, i) => ({ text: `Line ${i}`, gap: 0, words: 1, frames: 23 }));
  const { stretch, drawings } = footageOf(said, 460);
  for (let fromFrame = 1; fromFrame < 440; fromFrame += 1) {
    const caption = { fromFrame, toFrame: 450, fadeInFrames: 10, fadeOutFrames: 0 };
    const captioned = { ...stretch, layers: [{ drawing: 0, shown: caption }, ...stretch.layers.slice(1)] };
    const fades = cutAtCues(captioned, drawings, RATE).flatMap(({ layers }) =>
      layers.flatMap(({ shown }) => (shown?.fadeInFrames ? [shown.fadeInFrames] : [])),
    );
    expect(fades).toEqual([10]);
  }
});

test("a line that is said twice is two texts", () => {
  const said = Array.from({ length: 20 }, () => ({ text: "Again", gap: 0, words: 1, frames: 23 }));
  const { stretch, drawings } = footageOf(said, 460);
  for (const { cut } of cutAtCues(stretch, drawings, RATE)) expect((cut.firstFrame - FIRST) % 23).toBe(0);
});

test("stretches without subtitles, and short ones, stay whole", () => {
  for (const [said, frames] of [
    [[], 900],
    [[{ text: "Hello", gap: 0, words: 1, frames: 10 }], 79],
  ] as const) {
    const { stretch, drawings } = footageOf(said, frames);
    expect(cutAtCues(stretch, drawings, RATE)).toEqual([stretch]);
  }
});
