/** SubRip (.srt) and WebVTT (.vtt), which differ in tags, and in what ends a text. */
import { type SpokenLine, spreadWords } from "../transcript.ts";
import { readTime, readTimeRange, type TimeRange, withinVideo } from "./clock-time.ts";
import { decodeEntities, MARK, readMarks, withoutTags } from "./plain-text.ts";
import { subtitleError } from "./subtitle-error.ts";

type Cue = TimeRange & { text: string[] };

/** A text with an arrow that is no pair of times, but was meant to be. */
const MEANT_AS_TIMES = /^\s*[-\d].{0,40}--?>/u;
const NUMBER = /^\s*\d{1,9}\s*$/;

/** Throws ClipmillError "bad_subtitles" for times that cannot be read. */
export function readSubRip(lines: readonly string[]): SpokenLine[] {
  return toLines(findCues(lines), (text) => ({ text: withoutTags(text), times: [] }));
}

/** Throws like `readSubRip`. */
export function readWebVtt(lines: readonly string[]): SpokenLine[] {
  const cues = findCues(lines).map(({ text, startSeconds, endSeconds }) => {
    return { startSeconds, endSeconds, text: untilEmptyLine(text) };
  });
  return withoutRepeats(toLines(cues, readVttText));
}

function findCues(lines: readonly string[]): Cue[] {
  const cues: Cue[] = [];
  for (const [i, line] of lines.entries()) {
    const range = readTimeRange(line);
    if (range) {
      dropNumber(cues, i > 1 && lines[i - 2]!.trim() === "");
      cues.push({ ...range, text: [] });
    } else if (MEANT_AS_TIMES.test(line)) {
      throw subtitleError(`has times that cannot be read in line ${i + 1}`);
    } else cues.at(-1)?.text.push(line);
  }
  return cues;
}

/** The line before a cue's times is its number, unless the text before it goes on until there. */
function dropNumber(cues: readonly Cue[], followsEmptyLine: boolean): void {
  const text = cues.at(-1)?.text;
  const last = text?.at(-1);
  if (!text || last === undefined || !NUMBER.test(last)) return;
  if (followsEmptyLine || Number(last) === cues.length + 1 || Number(last) === cues.length) text.pop();
}

function untilEmptyLine(text: readonly string[]): string[] {
  const end = text.indexOf("");
  return text.slice(0, end === -1 ? text.length : end);
}

/** Times within a text, such as `<00:00:01.500>`, are those of words. Any other tag is left out. */
function readVttText(text: string): { text: string; times: number[] } {
  const times: number[] = [];
  const marked = text.replaceAll(/<([^<>]*)>/g, (whole, tag: string) => {
    const time = readTime(tag);
    if (time === null) return /^\/?[a-z]/i.test(tag) ? "" : whole;
    times.push(time);
    return MARK;
  });
  return { text: marked.replaceAll(/\{\\[^{}\n]*\}/g, ""), times };
}

function toLines(cues: readonly Cue[], readText: (text: string) => { text: string; times: number[] }): SpokenLine[] {
  return cues.flatMap(({ startSeconds, endSeconds, text: raw }) => {
    const { text: marked, times } = readText(raw.join("\n").replaceAll(MARK, ""));
    const range = withinVideo(startSeconds, endSeconds);
    if (!range) return [];
    const { text, marks } = readMarks(decodeEntities(marked), times, range);
    const words = spreadWords(text, marks);
    return words ? [{ ...range, words }] : [];
  });
}

/** Longer than the pause between two cues of captions that roll. */
const ROLLING_SECONDS = 0.05;

/** Video sites' automatic captions repeat each line, while the next one is spoken below it. */
function withoutRepeats(lines: readonly SpokenLine[]): SpokenLine[] {
  const kept: SpokenLine[] = [];
  for (const line of lines) {
    const before = kept.at(-1);
    const isNext = before !== undefined && Math.abs(line.startSeconds - before.endSeconds) <= ROLLING_SECONDS;
    const repeated = isNext ? countRepeated(before, line) : 0;
    if (repeated === line.words.length) before!.endSeconds = Math.max(before!.endSeconds, line.endSeconds);
    else kept.push({ ...line, words: line.words.slice(repeated) });
  }
  return kept;
}

/** How many words at the start of `line` are the last line of `before`. */
function countRepeated(before: SpokenLine, line: SpokenLine): number {
  const end = line.words.findIndex(({ text }) => text.endsWith("\n"));
  const first = line.words.slice(0, end === -1 ? line.words.length : end + 1);
  const lastBreak = before.words.findLastIndex(({ text }) => text.endsWith("\n"));
  const last = before.words.slice(lastBreak + 1);
  const isSame = first.length === last.length && first.every(({ text }, i) => text.trim() === last[i]!.text.trim());
  return isSame ? first.length : 0;
}
