import * as fc from "fast-check";
import { expect, test } from "vitest";
import { breakIntoCues, type Cue, type CueRoom } from "./break-into-cues.ts";
import { textOf, type Transcript } from "./transcript.ts";

const ROOM: CueRoom = { widthOf: (text) => text.length, maxWidth: 24, mostCharacters: 42 };
const ALWAYS = { startSeconds: 0, endSeconds: Infinity };

/** Words are said evenly; `|` starts another line. */
function say(text: string, secondsPerWord = 0.4): Transcript {
  let at = 0;
  return text.split("|").map((line) => {
    const words = line
      .trim()
      .split(/(?<=\s)/)
      .map((word) => ({ text: word, startSeconds: at, endSeconds: (at += secondsPerWord) }));
    return { startSeconds: words[0]!.startSeconds, endSeconds: at, words };
  });
}

const textsOf = (cues: readonly Cue[]) => cues.map(({ rows }) => rows.map(textOf).join(" / "));

test.each([
  ["Short enough.", ["Short enough."]],
  ["This one has more than a row.", ["This one has / more than a row."]],
  ["A line as typed\nstays as it is.", ["A line as typed / stays as it is."]],
  [
    "When it is long, it breaks at a clause, and it fills its cues about evenly, as far as it can.",
    ["When it is long, / it breaks at a clause,", "and it fills its / cues about evenly,", "as far as it can."],
  ],
  ["One. | Two is another line.", ["One. / Two is another line."]],
  ["This is said for long. | So is this.", ["This is said for long.", "So is this."]],
  ["Donaudampfschifffahrtsgesellschaft is one", ["Donaudampfschifffahrtsgesellschaft / is one"]],
])("breaks %j", (text, wanted) => {
  expect(textsOf(breakIntoCues(say(text), ALWAYS, ROOM))).toEqual(wanted);
});

test("shows lines that start together at the same time", () => {
  const [line] = say("- Who? |- Me.");
  const both = [line!, { ...line!, words: [{ text: "- Me.", startSeconds: 0, endSeconds: 0.4 }] }];
  expect(textsOf(breakIntoCues(both, ALWAYS, ROOM))).toEqual(["- Who? / - Me."]);
});

test("leaves out what is spoken outside of the window, and holds nothing beyond its end", () => {
  const cues = breakIntoCues(say("a b c d e f", 0.5), { startSeconds: 1, endSeconds: 2.1 }, ROOM);
  expect(textsOf(cues)).toEqual(["c d"]);
  expect(cues[0]).toMatchObject({ startSeconds: 1, endSeconds: 2 });
  const [last] = breakIntoCues(say("a b c", 0.5), { startSeconds: 1, endSeconds: 1.6 }, ROOM);
  expect(last).toMatchObject({ startSeconds: 1, endSeconds: 1.6 });
});

const word = fc.stringMatching(/^[a-z]{1,12}[,.?]?$/);
const transcript = fc
  .array(
    fc.record({
      words: fc.array(word, { minLength: 1, maxLength: 30 }),
      gap: fc.integer({ min: -500, max: 2_000 }),
      perWord: fc.integer({ min: 0, max: 700 }),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((lines): Transcript => {
    let at = 0;
    return lines
      .map(({ words, gap, perWord }) => {
        const start = Math.max(0, at + gap);
        at = start + perWord * words.length;
        return {
          startSeconds: start / 1_000,
          endSeconds: at / 1_000,
          words: words.map((text, i) => ({
            text: i < words.length - 1 ? `${text} ` : text,
            startSeconds: (start + i * perWord) / 1_000,
            endSeconds: (start + (i + 1) * perWord) / 1_000,
          })),
        };
      })
      .toSorted((a, b) => a.startSeconds - b.startSeconds);
  });
const window = fc.tuple(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 100, max: 60_000 }));

test("keeps all words in order, within the limits, one cue at a time, each for 0.8 seconds where there is time", () => {
  fc.assert(
    fc.property(transcript, window, (lines, [from, length]) => {
      const range = { startSeconds: from / 1_000, endSeconds: (from + length) / 1_000 };
      const cues = breakIntoCues(lines, range, ROOM);
      const inside = lines
        .flatMap(({ words }) => words)
        .filter(({ startSeconds, endSeconds }) => {
          const middle = (startSeconds + endSeconds) / 2;
          return middle >= range.startSeconds && middle < range.endSeconds;
        });
      const shown = cues.flatMap(({ rows }) => rows.flat());
      expect(shown.map(({ text }) => text.trim())).toEqual(inside.map(({ text }) => text.trim()));
      for (const [i, { startSeconds, endSeconds, rows }] of cues.entries()) {
        expect(rows.length).toBeLessThanOrEqual(2);
        for (const row of rows) expect(row.length === 1 || textOf(row).length <= 24).toBe(true);
        expect(endSeconds).toBeGreaterThanOrEqual(startSeconds);
        const limit = Math.min(cues[i + 1]?.startSeconds ?? Infinity, range.endSeconds);
        expect(endSeconds).toBeLessThanOrEqual(limit);
        expect(endSeconds).toBeGreaterThanOrEqual(Math.min(limit, startSeconds + 0.8) - 1e-9);
      }
      const starts = shown.map(({ startSeconds }) => startSeconds);
      expect(starts).toEqual(starts.toSorted((a, b) => a - b));
    }),
    { numRuns: 300 },
  );
});

test("measures each word a few times at most, however long a line is", () => {
  let measured = 0;
  const widthOf = (text: string): number => {
    measured += 1;
    return text.length;
  };
  const timesEach = (repeats: number): number => {
    measured = 0;
    const many = say("word and another, ".repeat(repeats), 0.3);
    breakIntoCues(many, ALWAYS, { ...ROOM, widthOf });
    return measured / many[0]!.words.length;
  };
  expect(timesEach(4_000) / timesEach(1_000)).toBeLessThan(1.1);
});

test("a part that plays faster shows cues for as long", () => {
  const quick = say("No.", 0.2);
  const lengthAt = (speed: number) => {
    const [cue] = breakIntoCues(quick, ALWAYS, { ...ROOM, speed });
    return (cue!.endSeconds - cue!.startSeconds) / speed;
  };
  expect([0.5, 1, 2].map(lengthAt)).toEqual([0.8, 0.8, 0.8]);
});
