import { z } from "zod";
import type { CheckCaptionsResponse } from "#contract/calls.ts";
import type { JobSettings, PreviewSettings } from "#contract/job-settings/job-settings.ts";
import { previewSettingsSchema } from "#contract/job-settings/setting-schema.ts";
import { pickSettings, previewSettingNames } from "#contract/job-settings/setting-values.ts";
import { captionsTooLong, type JobProblem } from "#contract/jobs/job-rules.ts";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { FORMAT_SIZES } from "#contract/jobs/outputs/formats.ts";
import { captionsMissingLetters, lettersMissing, type Warning } from "#contract/jobs/outputs/warnings.ts";
import { sizeProblem } from "#contract/jobs/size-problem.ts";
import { settingsOfVideo, formatsOf } from "#contract/jobs/video-settings.ts";
import { giveWay } from "#ground/give-way.ts";
import type { TextDrawer } from "#media/captions/drawing/text-drawer.ts";
import { findMissing } from "#media/captions/fonts/drawable-text.ts";
import { lookOf } from "#media/captions/layout/caption-shape.ts";
import { type Frame, UPRIGHT } from "#media/captions/layout/frame-areas.ts";
import type { Context } from "../context.ts";
import { readAcceptedSources } from "../sources/prepare-sources.ts";
import { runPure } from "../thread/run-pure.ts";

export type CaptionMeasure = Pick<TextDrawer, "findTooLong" | "measureWords">;

/** Fields are named like a job's. */
export const checkCaptionsSchema = previewSettingsSchema.extend({
  captions: z.array(z.string().max(JOB_LIMITS.captionCharacters)).max(JOB_LIMITS.captions),
  watermark_text: z.string().max(JOB_LIMITS.watermarkCharacters).nullish(),
});

/** Also returns warnings. Throws the errors of `measure`. */
export async function checkCaptions(
  measure: CaptionMeasure,
  request: z.output<typeof checkCaptionsSchema>,
  signal: AbortSignal,
): Promise<CheckCaptionsResponse> {
  const { captions } = request;
  const tooMuch = sizeProblem({ custom_captions: captions, input_videos: [], custom_audio_links: [] });
  // More than a job allows would keep the server busy for nothing.
  if (tooMuch) return { problem: tooMuch, warnings: [] };
  const tooLong = await measure.findTooLong(captions, lookOf(request), frameOf(request), signal);
  const mark = findMissing([request.watermark_text ?? ""]);
  const warnings = [...captionWarnings(captions), mark && lettersMissing("watermark", mark.characters)];
  return { problem: captionsTooLong(tooLong), warnings: warnings.filter((warning) => warning !== null) };
}

/** For `source`, assumes the frame of most short videos. */
function frameOf({ format, platform }: Pick<PreviewSettings, "format" | "platform">): Frame {
  return { ...(format === "source" ? UPRIGHT : FORMAT_SIZES[format]), platform };
}

/** Checks typed captions or the set's. Passes requests rejected for other reasons. */
export async function checkJobCaptions(
  context: Pick<Context, "db" | "hosts">,
  measure: CaptionMeasure,
  body: unknown,
  signal: AbortSignal,
): Promise<CheckCaptionsResponse> {
  const parsed = await runPure("parseCreateJob", body, await readAcceptedSources(context));
  if (!parsed.ok) return { problem: null, warnings: [] };
  const { input } = parsed;
  const captions = input.captions_enabled ? await readCaptions(context.db, input) : [];
  if (sizeProblem({ ...input, custom_captions: captions })) return { problem: null, warnings: [] };
  const watermark = input.watermark_enabled ? input.watermark_text : null;
  const checked = await checkCaptions(measure, { ...input, captions, watermark_text: watermark }, signal);
  const problem = checked.problem ?? (await findProblemOfFormats(measure, input, captions, signal));
  const ofParts = captionWarnings([
    ...input.rows.flatMap(({ settings }) => settings?.custom_captions ?? []),
    ...input.slots.flatMap(({ captions: own }) => own ?? []),
  ]);
  return { problem, warnings: [...checked.warnings, ...ofParts] };
}

/** The first format's own captions are already checked. */
async function findProblemOfFormats(
  measure: CaptionMeasure,
  input: JobSettings,
  captions: readonly string[],
  signal: AbortSignal,
): Promise<JobProblem | null> {
  for (const [i, format] of formatsOf(input).entries()) {
    const look = { ...input, format };
    const tooLong = i === 0 ? null : await measure.findTooLong(captions, lookOf(look), frameOf(look), signal);
    const problem = captionsTooLong(tooLong) ?? (await findProblemOfParts(measure, look, signal));
    if (problem) return problem;
  }
  return null;
}

/** Of rows and slots with captions of their own. Measures captions drawn alike together. */
async function findProblemOfParts(
  measure: CaptionMeasure,
  input: JobSettings,
  signal: AbortSignal,
): Promise<JobProblem | null> {
  type Alike = { settings: PreviewSettings; captions: string[]; places: { part: string; index: number }[] };
  const looks = new Map<string, Alike>();
  const parts = [
    ...input.rows.map(({ settings: own }, row) => ({
      part: `Row ${row + 1}`,
      own: own ?? {},
      texts: own?.captions_enabled ? (own.custom_captions ?? []) : [],
    })),
    ...input.slots.map(({ name, captions = [] }) => ({ part: name, own: {}, texts: captions })),
  ];
  for (const { part, own, texts } of parts) {
    if (texts.length === 0) continue;
    await giveWay();
    const settings = pickSettings(settingsOfVideo(input, own), previewSettingNames());
    const key = JSON.stringify(settings);
    const alike = looks.get(key) ?? { settings, captions: [], places: [] };
    looks.set(key, alike);
    for (const [index, caption] of texts.entries()) {
      alike.captions.push(caption);
      alike.places.push({ part, index });
    }
  }
  for (const { settings, captions, places } of looks.values()) {
    const found = await measure.findTooLong(captions, lookOf(settings), frameOf(settings), signal);
    if (!found) continue;
    const { part, index } = places[found.first.index]!;
    const problem = captionsTooLong({ count: 1, first: { ...found.first, index } })!;
    return { ...problem, description: `${part}: ${problem.description}` };
  }
  return null;
}

export function captionWarnings(captions: readonly string[]): Warning[] {
  const missing = findMissing(captions);
  return missing ? [captionsMissingLetters({ ...missing, captions: missing.texts })] : [];
}

async function readCaptions(
  db: Context["db"],
  input: { custom_captions: string[]; caption_set_id: string | null },
): Promise<string[]> {
  if (input.custom_captions.length > 0) return input.custom_captions;
  const set = db.selectFrom("caption_sets").select("captions").where("id", "=", input.caption_set_id);
  return (await set.executeTakeFirst())?.captions ?? [];
}

const NUMBER = /^\(?(\d{1,3})[.):]\s+/;
const BULLET = /^(?:[-–—•*]\s+|#\d{1,3}[.):]?\s+|caption\s+\d{1,3}\s*[.:)-]\s*)/iu;
const QUOTES: [open: string, close: string][] = [
  ['"', '"'],
  ["'", "'"],
  ["“", "”"],
  ["„", "“"],
  ["‘", "’"],
  ["«", "»"],
  ["`", "`"],
];

/**
 * Removes line breaks, list numbers, bullets and quotes. A leading number that is not the position in the list stays:
 * "7 days in Rome", "24. December".
 */
export function cleanCaptions(texts: readonly string[]): string[] {
  const lines = texts.map((text) => text.replaceAll(/[\s\u0085]+/gu, " ").trim());
  const isNumbered = lines.length > 1 && lines.every((line) => NUMBER.test(line));
  return lines.map((line, place) => {
    const number = NUMBER.exec(line)?.[1];
    const isPlace = isNumbered || Number(number) === place + 1;
    const unnumbered = number !== undefined && isPlace ? line.replace(NUMBER, "") : line;
    return unquote(unnumbered.replace(BULLET, "").trim());
  });
}

function unquote(text: string): string {
  for (const [open, close] of QUOTES) {
    const inner = text.slice(open.length, -close.length);
    const isAround = text.length > 2 && text.startsWith(open) && text.endsWith(close);
    // Quotes inside, as in `"one" or "two"`, do not enclose the whole text.
    if (isAround && !inner.includes(open) && !inner.includes(close)) return inner.trim();
  }
  return text;
}
