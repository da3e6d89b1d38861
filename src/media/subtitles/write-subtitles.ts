import type { TranscriptFormat } from "#contract/transcripts/transcripts.ts";
import { protectText } from "./formats/plain-text.ts";
import { shownOf } from "./tidy-transcript.ts";
import { type SpokenLine, textOf, type Transcript } from "./transcript.ts";

/** Returns a file's text, without hidden words. */
export function writeTranscript(transcript: Transcript, format: TranscriptFormat): string {
  return WRITERS[format](shownOf(transcript));
}

/** Returns a SubRip file. It has no times of words. */
export function writeSubRip(transcript: Transcript): string {
  return transcript.map((line, i) => `${i + 1}\n${rangeOf(line, ",")}\n${protectText(textOfLine(line))}\n`).join("\n");
}

/** Returns a WebVTT file, with the time of each word but the first of a line. */
export function writeWebVtt(transcript: Transcript): string {
  const cues = transcript.map((line) => `${rangeOf(line, ".")}\n${timedText(line)}\n`);
  return ["WEBVTT\n", ...cues].join("\n");
}

const ASS_HEAD = `[Script Info]
ScriptType: v4.00+
PlayResX: 1920
PlayResY: 1080

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, Outline, Alignment, MarginV
Style: Default,Arial,64,&H00FFFFFF,&H00FFFFFF,3,2,60

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
`;
/** Times in ASS have hundredths of a second. */
const toCentiseconds = (seconds: number) => Math.round(seconds * 100);

/** Returns an Advanced SubStation Alpha file with the time of each word as karaoke. */
function writeAss(transcript: Transcript): string {
  const lines = transcript.map((line) => {
    let at = toCentiseconds(line.startSeconds);
    const text = line.words.map((word, i) => {
      const next = line.words[i + 1]?.startSeconds ?? line.endSeconds;
      const [start, end] = [toCentiseconds(word.startSeconds), Math.max(at, toCentiseconds(next))];
      const pause = start > at && i === 0 ? `{\\k${start - at}}` : "";
      const length = end - (pause === "" ? at : start);
      at = end;
      return `${pause}{\\k${length}}${inAss(word.text)}`;
    });
    return `Dialogue: 0,${assTime(line.startSeconds)},${assTime(line.endSeconds)},Default,,0,0,0,,${text.join("")}\n`;
  });
  return ASS_HEAD + lines.join("");
}

/** Braces and backslashes would start overrides; there is no escape for them that all players know. */
function inAss(text: string): string {
  return text.replaceAll("{", "(").replaceAll("}", ")").replaceAll("\\", "/").replaceAll("\n", "\\N");
}

function two(part: number): string {
  return String(part).padStart(2, "0");
}

function assTime(seconds: number): string {
  const all = toCentiseconds(seconds);
  const [minutes, whole] = [two(Math.floor(all / 6_000) % 60), two(Math.floor(all / 100) % 60)];
  return `${Math.floor(all / 360_000)}:${minutes}:${whole}.${two(all % 100)}`;
}

/** Returns a paragraph per line. */
function writeText(transcript: Transcript): string {
  return transcript.map(({ words }) => `${textOf(words).replaceAll("\n", " ")}\n`).join("");
}

const WRITERS: Record<TranscriptFormat, (transcript: Transcript) => string> = {
  srt: writeSubRip,
  vtt: writeWebVtt,
  ass: writeAss,
  txt: writeText,
};

function textOfLine({ words }: SpokenLine): string {
  return words.map(({ text }) => text).join("");
}

function timedText({ words, startSeconds }: SpokenLine): string {
  return words
    .map((word, i) => {
      const escaped = word.text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
      return i === 0 && word.startSeconds === startSeconds ? escaped : `<${timeOf(word.startSeconds, ".")}>${escaped}`;
    })
    .join("");
}

function rangeOf({ startSeconds, endSeconds }: SpokenLine, point: string): string {
  return `${timeOf(startSeconds, point)} --> ${timeOf(endSeconds, point)}`;
}

function timeOf(seconds: number, point: string): string {
  const all = Math.round(seconds * 1_000);
  const [hours, minutes] = [Math.floor(all / 3_600_000), Math.floor(all / 60_000) % 60];
  const decimals = String(all % 1_000).padStart(3, "0");
  const parts = [hours, minutes, Math.floor(all / 1_000) % 60].map((part) => String(part).padStart(2, "0"));
  return `${parts.join(":")}${point}${decimals}`;
}
