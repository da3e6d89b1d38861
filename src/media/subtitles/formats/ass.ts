import { type SpokenLine, spreadWords } from "../transcript.ts";
import { readTime, withinVideo } from "./clock-time.ts";
import { MARK, readMarks } from "./plain-text.ts";
import { subtitleError } from "./subtitle-error.ts";

/** Of files without a line `Format:`. */
const USUAL_FIELDS = "Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text";
const CENTISECONDS = 100;

/** Reads (Advanced) SubStation Alpha. Throws ClipmillError "bad_subtitles" for times that cannot be read. */
export function readAss(lines: readonly string[]): SpokenLine[] {
  let fields = fieldsOf(USUAL_FIELDS);
  let isInEvents = false;
  const found: SpokenLine[] = [];
  for (const [i, line] of lines.entries()) {
    const section = /^\s*\[([^\]]*)\]\s*$/.exec(line)?.[1];
    if (section !== undefined) isInEvents = section.trim().toLowerCase() === "events";
    const [, kind, rest] = /^\s*(Format|Dialogue)\s*:(.*)$/i.exec(line) ?? [];
    if (kind === undefined || rest === undefined) continue;
    if (kind.toLowerCase() === "format") {
      if (isInEvents) fields = fieldsOf(rest);
      continue;
    }
    const values = splitFields(rest, fields.length);
    const valueOf = (name: string) => values[fields.indexOf(name)] ?? "";
    const [start, endSeconds] = [readTime(valueOf("start")), readTime(valueOf("end"))];
    if (start === null || endSeconds === null) throw subtitleError(`has times that cannot be read in line ${i + 1}`);
    // Effects made from a karaoke line repeat its text.
    if (valueOf("effect").trim().toLowerCase() === "fx") continue;
    const range = withinVideo(start, endSeconds);
    if (!range) continue;
    const { text: marked, times } = readText(valueOf("text").replaceAll(MARK, ""), start);
    const { text, marks } = readMarks(marked, times, range);
    const words = spreadWords(text, marks);
    if (words) found.push({ ...range, words });
  }
  return found;
}

function fieldsOf(format: string): string[] {
  return format.split(",").map((name) => name.trim().toLowerCase());
}

/** The last field has all further commas. */
function splitFields(text: string, count: number): string[] {
  const fields: string[] = [];
  let at = 0;
  while (fields.length < count - 1) {
    const comma = text.indexOf(",", at);
    if (comma === -1) break;
    fields.push(text.slice(at, comma));
    at = comma + 1;
  }
  return [...fields, text.slice(at)];
}

/** `\k` and its kin give a syllable's length in hundredths of a second. Drawings (`\p1`) are no text. */
function readText(text: string, startSeconds: number): { text: string; times: number[] } {
  const times: number[] = [];
  let seconds = startSeconds;
  let isDrawing = false;
  const marked = text.split(/\{([^{}]*)\}/).map((part, i) => {
    if (i % 2 === 0) return isDrawing ? "" : part;
    let syllable: number | null = null;
    for (const [, name, value] of part.matchAll(/\\(kf|ko|k|K|p)(\d{1,6})/g)) {
      if (name === "p") isDrawing = Number(value) > 0;
      else {
        syllable = seconds;
        seconds += Number(value) / CENTISECONDS;
      }
    }
    if (syllable === null) return "";
    times.push(syllable);
    return MARK;
  });
  return {
    text: marked
      .join("")
      .replaceAll(/\\[Nn]/g, "\n")
      .replaceAll("\\h", " "),
    times,
  };
}
