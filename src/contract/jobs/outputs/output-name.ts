import { cleanFileName } from "../../clean-name.ts";
import { formatOfFile, languageOfFile, languagesOf } from "../video-settings.ts";
import type { Format } from "./formats.ts";
import { utf8Bytes } from "../../storable-text.ts";

export type NamedOutput = {
  job: {
    job_name: string;
    total_videos: number;
    format: Format;
    formats: Format[];
    languages: string[];
    subtitle_languages: string[];
    subtitles_enabled: boolean;
    segmentation_type: string | null;
    name_pattern: string | null;
  };
  video: { position: number; row_name: string | null; row_pass: Readonly<Record<string, string>> | null };
  source: string;
  /** From 0. */
  variant: number;
  segment: number;
  caption: string | null;
  track: string | null;
};

export type OutputName = {
  name: string;
  /** Ends with the output's place, in case another output has the name. */
  nameIfTaken: string;
};

/**
 * Names a file by the job's pattern, else by place (video, variant, segment if cut) and the row's or source's name. If
 * too long, the name is cut, not the place.
 */
export function nameOutput(output: NamedOutput): OutputName {
  const { job, video, source } = output;
  const place = placeOf(output);
  const byPlace = cleanFileName(`${place}-${video.row_name ?? source}.mp4`, `${place}.mp4`);
  const filled = job.name_pattern === null ? "" : fillPattern(job.name_pattern, nameValuesOf(output));
  const name = cleanFileName(filled.replace(/(\.mp4)+$/i, ""), "");
  if (name === "") return { name: byPlace, nameIfTaken: byPlace };
  const ending = `-${place}.mp4`;
  return { name: cleanFileName(`${name}.mp4`, byPlace), nameIfTaken: cleanFileName(name + ending, byPlace, ending) };
}

export function nameValuesOf({ job, video, source, caption, track, ...place }: NamedOutput): NameValues {
  return {
    name: video.row_name ?? source,
    source,
    position: positionOf({ job, video }),
    variant: String(place.variant + 1),
    segment: segmentOf(place),
    caption: caption ?? "",
    track: track ?? "",
    job: job.job_name,
    format: writtenFormat(job, place.variant),
    language: languageOfFile(job, place.variant) ?? "",
    row: video.row_pass ?? {},
  };
}

/** Unique and sorted within the job. */
function placeOf(output: Pick<NamedOutput, "job" | "video" | "variant" | "segment">): string {
  const { job, variant } = output;
  const language = languagesOf(job).length > 1 ? `-${languageOfFile(job, variant)}` : "";
  const format = job.formats.length > 1 ? `-${writtenFormat(job, variant)}` : "";
  const segment = job.segmentation_type === "multiple" ? `-s${segmentOf(output)}` : "";
  return `${positionOf(output)}-v${variant + 1}${language}${format}${segment}`;
}

/** File names cannot contain a colon. */
function writtenFormat(job: NamedOutput["job"], variant: number): string {
  return formatOfFile(job, variant).replace(":", "x");
}

function positionOf({ job, video }: Pick<NamedOutput, "job" | "video">): string {
  return String(video.position + 1).padStart(Math.max(3, String(job.total_videos).length), "0");
}

function segmentOf({ segment }: Pick<NamedOutput, "segment">): string {
  return String(segment + 1).padStart(2, "0");
}

// Patterns for output names and links, such as `{row.sku}-{variant}-{caption:20}`.

/** `{row.sku}` is a column of the output's row, `{part.hook}` the file of its clip in the slot Hook. */
export const NAME_FIELDS = [
  "name",
  "source",
  "position",
  "variant",
  "segment",
  "caption",
  "track",
  "job",
  "format",
  "language",
] as const;
type NameField = (typeof NAME_FIELDS)[number];

/** `row` also has the parts, with their whole fields. */
export type NameValues = Readonly<Record<NameField, string>> & { row: Readonly<Record<string, string>> };

/** Longer names are shortened anyway. */
const MOST_CHARACTERS = 120;

const PART_FIELD = /^part\./i;

type Field = { written: string; field: string; most: string | null };

type Part = { text: string } | Field | { stray: "{" | "}" };

const PARTS = /\{\{|\}\}|\{[^{}]*\}|[{}]|[^{}]+/g;
/** The length follows the last colon; others may be part of a column's name. */
const FIELD = /^\{(row\.[^{}]+?|[^{}:]*)(?::(\d+))?\}$/;

function partsOf(pattern: string): Part[] {
  return (pattern.match(PARTS) ?? []).map((written) => {
    if (written === "{{" || written === "}}") return { text: written[0]! };
    if (written === "{" || written === "}") return { stray: written };
    if (!written.startsWith("{")) return { text: written };
    const [, field = written.slice(1, -1), most = null] = FIELD.exec(written) ?? [];
    return { written, field: field.trim(), most };
  });
}

/** Returns a sentence, or null. `hasColumn` reports the columns of rows; `what` names the pattern. */
export function patternProblem(
  pattern: string,
  hasColumn: (column: string) => boolean,
  what = "name pattern",
): string | null {
  for (const part of partsOf(pattern)) {
    if ("text" in part) continue;
    const problem = "stray" in part ? strayProblem(part.stray, what) : fieldProblem(part, hasColumn, what);
    if (problem) return problem;
  }
  return null;
}

function strayProblem(brace: "{" | "}", what: string): string {
  return brace === "{"
    ? `A "{" in the ${what} has no "}"; write "{{" for a brace`
    : `A "}" in the ${what} has no "{"; write "}}" for a brace`;
}

function fieldProblem(
  { written, field, most }: Field,
  hasColumn: (column: string) => boolean,
  what: string,
): string | null {
  const column = columnOf(field);
  if (column !== null && !hasColumn(column)) {
    return PART_FIELD.test(field)
      ? `The ${what} uses "${written}", which is no slot of the job`
      : `The ${what} uses the column "${column}", which no row has`;
  }
  if (column === null && !isNameField(field)) {
    return `The ${what} can't use "${written}"; use {row.column}, ${NAME_FIELDS.map((name) => `{${name}}`).join(", ")}`;
  }
  if (most === null || (Number(most) >= 1 && Number(most) <= MOST_CHARACTERS)) return null;
  return `"${written}" in the ${what} must have a length from 1 to ${MOST_CHARACTERS}`;
}

/** Returns a name, not cleaned yet, from a valid pattern. `encode` is applied to each value. */
export function fillPattern(
  pattern: string,
  values: NameValues,
  encode: (value: string) => string = (value) => value,
): string {
  return partsOf(pattern)
    .map((part) => {
      if ("text" in part) return part.text;
      if ("stray" in part) return part.stray;
      const value = valueOf(part.field, values).trim();
      return encode(part.most === null ? value : firstCharacters(value, Number(part.most)).trim());
    })
    .join("");
}

function valueOf(field: string, values: NameValues): string {
  const column = columnOf(field);
  if (column !== null) return Object.hasOwn(values.row, column) ? values.row[column]! : "";
  return isNameField(field) ? values[field] : "";
}

function columnOf(field: string): string | null {
  if (PART_FIELD.test(field)) return field.toLowerCase();
  return field.startsWith("row.") ? field.slice("row.".length) : null;
}

function isNameField(field: string): field is NameField {
  return (NAME_FIELDS as readonly string[]).includes(field);
}

/** Counts graphemes. */
function firstCharacters(text: string, most: number): string {
  if (utf8Bytes([text]) <= most) return text;
  const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" }).segment(text);
  return Array.from(graphemes, ({ segment }) => segment)
    .slice(0, most)
    .join("");
}
