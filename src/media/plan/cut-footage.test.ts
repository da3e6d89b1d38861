import { expect, test } from "vitest";
import { cutFootage, within } from "./cut-footage.ts";
import { secondsOf } from "./fit-size.ts";
import type { Footage, Shown } from "./render-plan.ts";

const RATE = { numerator: 30, denominator: 1 };
const TEXTS = ["A", "B", "0", "1", "2", "3", "4"];

function footage(from: number, to: number, caption: string | null = null, on: Partial<Shown> | null = null): Footage {
  const times = { startSeconds: secondsOf(from, RATE), seconds: secondsOf(to - from, RATE) };
  const cut = { firstFrame: from, frames: to - from, ...times, isCutAtStart: false, isCutAtEnd: false };
  const shown = on && { fromFrame: 0, toFrame: to - from, fadeInFrames: 0, fadeOutFrames: 0, ...on };
  return { source: 0, cut, layers: caption === null ? [] : [{ drawing: TEXTS.indexOf(caption), shown }] };
}

/** As "from-to", with the caption and the frames that show it, if not all. */
function cut(...pictures: Footage[]): string[] {
  return cutFootage(pictures, RATE).map((stretches) => stretches.map(describeFootage).join(", "));
}

function describeFootage({ cut, layers }: Footage): string {
  const described = layers.map(({ drawing, shown }) => {
    const fades = [shown?.fadeInFrames && "in", shown?.fadeOutFrames && "out"];
    return [TEXTS[drawing], shown && `${shown.fromFrame}-${shown.toFrame}`, ...fades].filter(Boolean).join(" ");
  });
  return [`${cut.firstFrame}-${cut.firstFrame + cut.frames}`, ...described].join(" ");
}

test("pictures with other captions share what is before and after them", () => {
  expect(
    cut(
      footage(0, 450, "A", { fromFrame: 60, toFrame: 150 }),
      footage(0, 450, "B", { fromFrame: 60, toFrame: 150 }),
      footage(0, 450),
    ),
  ).toEqual(["0-60, 60-150 A, 150-450", "0-60, 60-150 B, 150-450", "0-60, 60-150, 150-450"]);
});

test("a picture that shares nothing stays in one piece", () => {
  expect(cut(footage(0, 450, "A", { toFrame: 90 }))).toEqual(["0-450 A 0-90"]);
  expect(cut(footage(0, 450, "A"), footage(0, 450, "B"))).toEqual(["0-450 A", "0-450 B"]);
  // The same times in different clips of the video.
  const clips = [footage(0, 300, "A", { toFrame: 90 }), footage(300, 600, "A", { toFrame: 90 })];
  expect(cut(...clips)).toEqual(["0-300 A 0-90", "300-600 A 0-90"]);
});

test("no stretch is shorter than a second", () => {
  const short = { fromFrame: 29, toFrame: 100 };
  expect(cut(footage(0, 450, "A", short), footage(0, 450, "B", short))).toEqual([
    "0-100 A 29-100, 100-450",
    "0-100 B 29-100, 100-450",
  ]);
  const late = { fromFrame: 300, toFrame: 430 };
  expect(cut(footage(0, 450, "A", late), footage(0, 450, "B", late))[0]).toBe("0-300, 300-450 A 0-130");
  // A caption of 5 frames gets a stretch of a second.
  const flash = { fromFrame: 60, toFrame: 65 };
  expect(cut(footage(0, 450, "A", flash), footage(0, 450, "B", flash))[0]).toBe("0-60, 60-90 A 0-5, 90-450");
  const whole = { fromFrame: 10, toFrame: 40 };
  expect(cut(footage(0, 60, "A", whole), footage(0, 60, "B", whole))).toEqual(["0-60 A 10-40", "0-60 B 10-40"]);
  const ending = { fromFrame: 440, toFrame: 450 };
  expect(cut(footage(0, 450, "A", ending), footage(0, 450, "B", ending))[0]).toBe("0-450 A 440-450");
});

test("fades stay with their caption", () => {
  const faded = { fromFrame: 60, toFrame: 150, fadeInFrames: 6, fadeOutFrames: 6 };
  expect(cut(footage(0, 450, "A", faded), footage(0, 450, "B", faded))[0]).toBe("0-60, 60-150 A 0-90 in out, 150-450");
});

test("overlapping clips share their common frames, unless too few of them are common", () => {
  expect(cut(footage(0, 150), footage(75, 225), footage(150, 300))).toEqual([
    "0-75, 75-150",
    "75-150, 150-225",
    "150-225, 225-300",
  ]);
  expect(cut(footage(0, 150), footage(130, 300))).toEqual(["0-150", "130-300"]);
  expect(cut(footage(0, 150, "A"), footage(75, 225, "A"))).toEqual(["0-75 A, 75-150 A", "75-150 A, 150-225 A"]);
  expect(cut(footage(0, 150, "A"), footage(75, 225, "B"))).toEqual(["0-150 A", "75-225 B"]);
});

test("the frames of a picture's stretches are those of the picture", () => {
  const pictures = Array.from({ length: 40 }, (_, i) => {
    const [from, to] = [i * 37, i * 37 + 200 + ((i * 53) % 90)];
    return i % 3 === 0 ? footage(from, to) : footage(from, to, `${i % 5}`, { fromFrame: 17 + i, toFrame: 90 });
  });
  for (const [i, stretches] of cutFootage(pictures, RATE).entries()) {
    const { cut } = pictures[i]!;
    expect(stretches[0]!.cut.firstFrame).toBe(cut.firstFrame);
    for (const [k, stretch] of stretches.entries()) {
      const end = stretch.cut.firstFrame + stretch.cut.frames;
      expect(end).toBe(stretches[k + 1]?.cut.firstFrame ?? cut.firstFrame + cut.frames);
      expect(stretch.cut.frames).toBeGreaterThanOrEqual(30);
    }
  }
});

test("at 1 frame per second, a stretch still has 8 frames", () => {
  const slow = { numerator: 1, denominator: 1 };
  const pictures = ["A", "B"].map((caption) => footage(0, 60, caption, { toFrame: 3 }));
  const [first] = cutFootage(pictures, slow);
  expect(first!.map(({ cut }) => cut.frames)).toEqual([8, 52]);
});

function under(from: number, to: number, ...layers: [text: string, fromFrame: number, toFrame: number][]): Footage {
  const shown = layers.map(([text, fromFrame, toFrame]) => ({
    drawing: TEXTS.indexOf(text),
    shown: fromFrame === 0 && toFrame === to - from ? null : { fromFrame, toFrame, fadeInFrames: 0, fadeOutFrames: 0 },
  }));
  return { ...footage(from, to), layers: shown };
}

test("layers that two pictures have in common are encoded once wherever nothing else differs", () => {
  expect(
    cut(
      under(0, 450, ["0", 0, 450], ["1", 0, 120], ["A", 240, 450]),
      under(0, 450, ["0", 0, 450], ["1", 0, 120], ["B", 240, 450]),
    ),
  ).toEqual(["0-240 0 1 0-120, 240-450 0 A", "0-240 0 1 0-120, 240-450 0 B"]);
});

test("layers that all pictures have do not cut what they share", () => {
  const words = [0, 1, 2, 3, 4].map((i): [string, number, number] => ["0", 120 + i * 60, 150 + i * 60]);
  expect(cut(under(0, 450, ...words, ["A", 0, 90]), under(0, 450, ...words, ["B", 0, 90]))).toEqual([
    "0-90 A, 90-450 0 30-60 0 90-120 0 150-180 0 210-240 0 270-300",
    "0-90 B, 90-450 0 30-60 0 90-120 0 150-180 0 210-240 0 270-300",
  ]);
});

function wordsAt(...places: number[]): [string, number, number][] {
  return places.map((i) => ["0", i * 60, i * 60 + 45]);
}

test("overlapping windows share most of what they have in common, in one piece", () => {
  const first = under(0, 600, ...wordsAt(1, 2, 3, 4, 5, 6, 7, 8, 9));
  const second = under(300, 900, ...wordsAt(0, 1, 2, 3, 4, 5, 6));
  const [a, b] = cutFootage([first, second], RATE);
  expect(a!.map(({ cut }) => cut.firstFrame)).toEqual([0, 345, 525]);
  expect(b!.map(({ cut }) => cut.firstFrame)).toEqual([300, 345, 525]);
  expect(b![1]).toEqual(a![1]);
});

test("layers that change within a second share a stretch, in which each has its own frames", () => {
  expect(cut(under(0, 450, ["0", 60, 75], ["1", 70, 300]), under(0, 450))).toEqual([
    "0-60, 60-300 0 0-15 1 10-240, 300-450",
    "0-60, 60-300, 300-450",
  ]);
});

test("a cut does not fall into another layer's fade, and a part that does so leaves the fade out", () => {
  const fading = { drawing: 0, shown: { fromFrame: 0, toFrame: 150, fadeInFrames: 0, fadeOutFrames: 6 } };
  const late = { drawing: 1, shown: { fromFrame: 147, toFrame: 300, fadeInFrames: 0, fadeOutFrames: 0 } };
  const [first] = cutFootage([{ ...footage(0, 450), layers: [fading, late] }, footage(0, 450)], RATE);
  expect(first!.map(describeFootage)).toEqual(["0-300 A 0-150 out B 147-300", "300-450"]);
  expect(within([fading], 100, 147)).toEqual([
    { drawing: 0, shown: { fromFrame: 0, toFrame: 3, fadeInFrames: 0, fadeOutFrames: 0 } },
  ]);
  expect(within([fading], 147, 0)).toEqual([{ drawing: 0, shown: null }]);
});
