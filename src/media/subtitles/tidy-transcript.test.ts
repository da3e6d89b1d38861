import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { TranscriptFormat, TranscriptLine } from "#contract/transcripts/transcripts.ts";
import { readSubtitles } from "./read-subtitles.ts";
import { tidyTranscript } from "./tidy-transcript.ts";
import { writeTranscript } from "./write-subtitles.ts";

const word = fc.record({
  text: fc.constantFrom("one ", "two.", "drei ", "<b>", "&amp; ", "5 < 6 ", "日本", "-->", "a\n"),
  startSeconds: fc.integer({ min: 0, max: 40_000 }).map((centiseconds) => centiseconds / 100),
  endSeconds: fc.constant(0),
});
const lines = fc.array(
  fc.array(word, { minLength: 1, maxLength: 6 }).map((words): TranscriptLine => {
    const timed = words.map((one) => ({ ...one, endSeconds: one.startSeconds + 0.4 }));
    return { startSeconds: timed[0]!.startSeconds, endSeconds: timed[0]!.endSeconds, words: timed };
  }),
  { minLength: 1, maxLength: 5 },
);

function starts(all: readonly TranscriptLine[]) {
  return all.flatMap((line) => line.words.map(({ text, startSeconds }) => [text.trim(), startSeconds]));
}

test("edited lines are sorted and fitted around their words, and tidying them again changes nothing", () => {
  fc.assert(
    fc.property(lines, (edited) => {
      const tidied = tidyTranscript(edited);
      for (const { startSeconds, endSeconds, words } of tidied) {
        const starts = words.map((one) => one.startSeconds);
        expect(starts).toEqual(starts.toSorted((a, b) => a - b));
        expect(startSeconds).toBeLessThanOrEqual(starts[0]!);
        expect(endSeconds).toBeGreaterThanOrEqual(Math.max(...words.map((one) => one.endSeconds)));
      }
      expect(tidyTranscript(tidied)).toEqual(tidied);
    }),
  );
});

test.each<TranscriptFormat>(["vtt", "ass"])(
  "a transcript is read back from %s with the times of its words",
  (format) => {
    // Words without signs, and with spaces between them.
    const plain = lines.map((edited) => {
      const spaced = edited.map((line) => ({
        ...line,
        words: line.words.map((one) => ({ ...one, text: `${one.text.replaceAll(/\W/g, "") || "x"} ` })),
      }));
      return tidyTranscript(spaced);
    });
    fc.assert(
      fc.property(plain, (transcript) => {
        const read = readSubtitles(Buffer.from(writeTranscript(transcript, format)));
        expect(starts(read)).toEqual(starts(transcript));
      }),
    );
  },
);
