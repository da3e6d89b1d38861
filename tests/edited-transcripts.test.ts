import * as fc from "fast-check";
import { expect, test } from "vitest";
import { tidyTranscript } from "#media/subtitles/tidy-transcript.ts";
import { hideWords, joinLines, retypeWord, splitLine, toggleWord } from "#web/features/transcripts/model/commands.ts";
import { replaceText } from "#web/features/transcripts/model/find-text.ts";
import { applyPatches, type Lines } from "#web/features/transcripts/model/patches.ts";
import { clampPlace } from "#web/features/transcripts/model/word-at.ts";

const HERE = { line: 0, word: 0 };
const ms = (least: number, most: number) => fc.integer({ min: least, max: most }).map((all) => all / 1_000);
const text = fc.constantFrom("we ", "met", "at\n", "clip ", "mill.", "水車", "لا ", "😀 ");
const word = fc.tuple(text, ms(0, 20_000), ms(0, 2_000)).map(([text, startSeconds, length]) => ({
  text,
  startSeconds,
  endSeconds: Math.round(1_000 * (startSeconds + length)) / 1_000,
}));
/** As the server stores them. */
const lines = fc
  .array(fc.array(word, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 5 })
  .map((all) => tidyTranscript(all.map((words) => ({ startSeconds: words[0]!.startSeconds, endSeconds: 0, words }))));
const command = fc.tuple(
  fc.constantFrom(
    "retype" as const,
    "split" as const,
    "join" as const,
    "toggle" as const,
    "hide" as const,
    "replace" as const,
  ),
  ...[fc.nat(5), fc.nat(4)],
  fc.constantFrom("", "word", " two  words ", "mill", "水車 です"),
);

test("edited lines are already as the server stores them, so a save changes none", () => {
  fc.assert(
    fc.property(lines, fc.array(command, { minLength: 1, maxLength: 8 }), (start, commands) => {
      let edited: Lines = start;
      for (const [name, line, index, typed] of commands) {
        if (edited.length === 0) break;
        const place = clampPlace(edited, { line, word: index });
        const commandsByName = {
          retype: () => retypeWord(edited, place, typed),
          split: () => splitLine(edited, place),
          join: () => joinLines(edited, place),
          toggle: () => toggleWord(edited, place),
          hide: () => hideWords(edited, ({ text: one }) => one.startsWith("m"), true, HERE),
          replace: () => replaceText(edited, { text: "mill", isCaseMatched: false, isWholeWord: true }, typed),
        };
        const change = commandsByName[name]();
        if (change) edited = applyPatches(edited, change.patches)!;
        expect(tidyTranscript(edited)).toEqual(edited);
      }
    }),
  );
});
