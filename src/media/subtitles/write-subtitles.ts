import { protectText } from "./formats/plain-text.ts";
import type { SpokenLine, Transcript } from "./transcript.ts";

/** Returns a SubRip file. It has no times of words. */
export function writeSubRip(transcript: Transcript): string {
  return transcript.map((line, i) => `${i + 1}\n${rangeOf(line, ",")}\n${protectText(textOfLine(line))}\n`).join("\n");
}

/** Returns a WebVTT file, with the time of each word but the first of a line. */
export function writeWebVtt(transcript: Transcript): string {
  const cues = transcript.map((line) => `${rangeOf(line, ".")}\n${timedText(line)}\n`);
  return ["WEBVTT\n", ...cues].join("\n");
}

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
