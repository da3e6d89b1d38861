import { MAX_SUBTITLE_BYTES } from "#contract/library.ts";
import { readAss } from "./formats/ass.ts";
import { readSubRip, readWebVtt } from "./formats/cue-files.ts";
import { decodeSubtitles } from "./formats/decode-subtitles.ts";
import { requireReasonable, subtitleError } from "./formats/subtitle-error.ts";
import { readWordJson } from "./formats/word-json.ts";
import type { SpokenLine, Transcript } from "./transcript.ts";

/**
 * Reads SubRip, WebVTT, (Advanced) SubStation Alpha, or words as JSON; the content decides. Throws ClipmillError
 * "bad_subtitles" with a message that continues the file's name.
 */
export function readSubtitles(bytes: Uint8Array): Transcript {
  if (bytes.length > MAX_SUBTITLE_BYTES) throw subtitleError("is larger than 2 MB");
  const lines = readAny(decodeSubtitles(bytes));
  if (lines.length === 0) throw subtitleError("has no subtitles. Use SRT, VTT, ASS, or words as JSON");
  const sorted = lines.toSorted((a, b) => a.startSeconds - b.startSeconds);
  const transcript = sorted.map((line, i) => withEnd(line, sorted[i + 1]?.startSeconds ?? Infinity));
  requireReasonable(transcript);
  return transcript;
}

function readAny(text: string): SpokenLine[] {
  if (/^\s*[[{]/.test(text)) {
    const content = parseJson(text);
    if (content !== undefined) return readWordJson(content);
  }
  const lines = text.split(/\r\n|[\n\r]/);
  if (/^\s*WEBVTT(?:\s|$)/.test(text)) return readWebVtt(lines);
  const isAss = lines.some((line) => /^\s*(?:\[(?:Script Info|Events)\]|Dialogue:)/i.test(line));
  return isAss ? readAss(lines) : readSubRip(lines);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Time to read a letter, and the limits of a whole line. */
const SECONDS_PER_LETTER = 0.06;
const [LEAST_SECONDS, MOST_SECONDS] = [0.8, 7];

/** A line that ends before it starts is a typing error: it stays for as long as it takes to read. */
function withEnd(line: SpokenLine, nextSeconds: number): SpokenLine {
  if (line.endSeconds > line.startSeconds) return line;
  const letters = line.words.reduce((sum, { text }) => sum + text.length, 0);
  const wanted = Math.min(MOST_SECONDS, Math.max(LEAST_SECONDS, letters * SECONDS_PER_LETTER));
  const room = nextSeconds > line.startSeconds ? nextSeconds - line.startSeconds : wanted;
  const seconds = Math.min(wanted, room);
  const at = (share: number) => Math.round((line.startSeconds + seconds * share) * 1_000) / 1_000;
  const words = line.words.map(({ text }, i, all) => ({
    text,
    startSeconds: at(i / all.length),
    endSeconds: at((i + 1) / all.length),
  }));
  return { startSeconds: line.startSeconds, endSeconds: at(1), words };
}
