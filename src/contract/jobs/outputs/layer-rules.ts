import { parseLink } from "../../sources/links.ts";
import { JOB_LIMITS } from "../job-limits.ts";
import type { ImageLayer, Layer, TextLayer } from "./layers.ts";
import { fillPattern, type NameValues, patternProblem } from "./output-name.ts";

/** The columns that each row passes on, and parts. */
type Rows = readonly Readonly<Record<string, string>>[];

/** The clip that the layer is shown on, unless a slot has this name. */
const PART_NAME = "part.name";

/** True if the text names the clip that it is shown on. */
export function differsByPart({ text }: Pick<TextLayer, "text">): boolean {
  return /\{\s*part\.name\b/i.test(text);
}

/** Fills in a valid text or image. `part` is the name of the clip that it is shown on. */
export function fillLayer(pattern: string, values: NameValues, part: string): string {
  return fillPattern(pattern, { ...values, row: { [PART_NAME]: part, ...values.row } }).trim();
}

/** The links of all images. */
export function layerImages(layers: readonly Layer[], rows: Rows): string[] {
  const images = layers.filter((layer) => layer.kind === "image");
  return images.flatMap((layer) => imageLinks(layer, rows)).filter((link) => link !== "");
}

/** Returns by link what messages call each image. */
export function nameImages(watermark: string | null, layers: readonly string[]): Map<string, string> {
  const named = new Map(layers.map((link) => [link, "The layer's image"]));
  return watermark === null ? named : named.set(watermark, "The watermark image");
}

/** One for each row if they are in a column. An empty one shows nothing. */
function imageLinks({ image }: ImageLayer, rows: Rows): string[] {
  const column = columnOf(image);
  if (column === null) return [image.trim()];
  return rows.map((row) => (Object.hasOwn(row, column) ? row[column]!.trim() : ""));
}

/** Null for a link. */
function columnOf(image: string): string | null {
  return /^\s*\{\s*row\.([^{}]+?)\s*\}\s*$/.exec(image)?.[1] ?? null;
}

function isImageLink(link: string): boolean {
  return parseLink(link)?.host === "library";
}

/** Returns a sentence, or null. Accepts layers of the right shape. Without rows (null), any column may exist. */
export function layersProblem(layers: readonly Layer[], rows: Rows | null): string | null {
  const hasColumn = (column: string) => rows === null || rows.some((row) => Object.hasOwn(row, column));
  for (const [i, layer] of layers.entries()) {
    const problem =
      layer.kind === "text"
        ? textProblem(layer, i, hasColumn)
        : imageProblem(layer, i, { hasColumn, rows: rows ?? [] });
    const found = problem ?? timesProblem(layer, i);
    if (found) return found;
  }
  return null;
}

function textProblem({ text }: TextLayer, i: number, hasColumn: (column: string) => boolean): string | null {
  if (text.trim() === "") return `Layer ${i + 1} needs a text`;
  const isPart = (column: string) => column === PART_NAME && differsByPart({ text });
  return patternProblem(text, (column) => isPart(column) || hasColumn(column), `text of layer ${i + 1}`);
}

function imageProblem(
  layer: ImageLayer,
  i: number,
  { hasColumn, rows }: { hasColumn: (column: string) => boolean; rows: Rows },
): string | null {
  const column = columnOf(layer.image);
  if (column === null) {
    // Braces would be read as fields.
    const isImage = isImageLink(layer.image.trim()) && !/[{}]/.test(layer.image);
    return isImage ? null : `Layer ${i + 1} needs an image from the library`;
  }
  if (!hasColumn(column)) return `Layer ${i + 1} uses the column "${column}", which no row has`;
  const wrong = imageLinks(layer, rows).findIndex((link) => link !== "" && !isImageLink(link));
  return wrong === -1 ? null : `Row ${wrong + 1}: The column "${column}" needs a link to an image from the library`;
}

function timesProblem(
  { start_seconds: start = 0, end_seconds: end = null, ...place }: Layer,
  i: number,
): string | null {
  // Rounded: 0.3 - 0.2 is slightly below 0.1.
  if (end !== null && Math.round((end - start) * 1_000) < JOB_LIMITS.captionSeconds * 1_000) {
    return `Layer ${i + 1} must be shown for at least 0.1 seconds`;
  }
  const { x = null, y = null } = place;
  return (x === null) === (y === null) ? null : `Layer ${i + 1} needs both x and y, or neither`;
}
