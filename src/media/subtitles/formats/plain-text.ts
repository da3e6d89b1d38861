import type { TimeMark } from "#contract/transcripts/spread-words.ts";
import type { TimeRange } from "./clock-time.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00A0", lrm: "\u200E", rlm: "\u200F" },
  ...{ "#39": "'", "#34": '"' },
};
const ENTITY = /&(amp|lt|gt|quot|apos|nbsp|lrm|rlm|#39|#34);/g;
/** Tags of SubRip and HTML. Other texts in angle brackets stay: `<3`, `x < y`. */
const TAG = /<\/?(?:i|b|u|s|c|v|em|strong|font|span|ruby|rt|lang)(?:[\s.=][^<>\n]*)?>/gi;
const BREAK_TAG = /<br\s{0,9}\/?>/gi;
/** ASS overrides, which players accept in SubRip files: `{\an8}`. Also MicroDVD's: `{y:i}`. */
const OVERRIDE = /\{(?:\\|[a-z]:)[^{}\n]*\}/gi;
/** Marks without any effect in a picture. */
const MARKS = /[\uFEFF\u200B\u00AD]/g;

/** Removes tags of SubRip, also those of other formats that are found in such files. */
export function withoutTags(text: string): string {
  return text.replaceAll(BREAK_TAG, "\n").replaceAll(TAG, "").replaceAll(OVERRIDE, "");
}

export function decodeEntities(text: string): string {
  return text.includes("&") ? text.replaceAll(ENTITY, (_, name: string) => ENTITIES[name]!) : text;
}

/** Escapes what `withoutTags` and `decodeEntities` would change. */
export function protectText(text: string): string {
  return text
    .replaceAll(ENTITY, "&amp;$1;")
    .replaceAll(TAG, (tag) => `&lt;${tag.slice(1)}`)
    .replaceAll(BREAK_TAG, (tag) => `&lt;${tag.slice(1)}`);
}

/** Leaves out empty lines and spaces around lines. */
export function tidyText(text: string): string {
  return tidyLines(text, (line) => line);
}

function tidyLines(text: string, visibleOf: (line: string) => string): string {
  const lines: string[] = [];
  let before = "";
  for (const raw of text.replaceAll(MARKS, "").split(/[\n\u2028]/u)) {
    const line = before + raw.trim().replaceAll(/\s+/gu, " ");
    const isEmpty = visibleOf(line).trim() === "";
    before = isEmpty ? line.replaceAll(" ", "") : "";
    if (!isEmpty) lines.push(line);
  }
  return lines.join("\n");
}

/** A private character: files have none once `MARK` is removed from them. */
export const MARK = "\uE000";

/** Tidies a text with a `MARK` for each time, and returns where they are. The marks' times are in order. */
export function readMarks(
  marked: string,
  times: readonly number[],
  { startSeconds, endSeconds }: TimeRange,
): { text: string; marks: [TimeMark, ...TimeMark[]] } {
  const [first = "", ...others] = tidyLines(marked, (line) => line.replaceAll(MARK, "")).split(MARK);
  const marks: [TimeMark, ...TimeMark[]] = [{ at: 0, seconds: startSeconds }];
  let text = first.trimStart();
  for (const [i, part] of others.entries()) {
    // A word's time is often written before the space in front of the word.
    const spaces = part.length - part.trimStart().length;
    if (spaces > 0 && text !== "" && !/\s$/u.test(text)) text += part.slice(0, spaces);
    const seconds = times[i] ?? endSeconds;
    const isInOrder = seconds >= marks.at(-1)!.seconds && seconds <= endSeconds;
    if (isInOrder) marks.push({ at: text.length, seconds });
    text += part.slice(spaces);
  }
  marks.push({ at: text.trimEnd().length, seconds: endSeconds });
  return { text: text.trimEnd(), marks };
}
