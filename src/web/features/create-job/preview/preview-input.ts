import type { PreviewRequest } from "#contract/calls.ts";
import type { JobRow, PreviewSettings, RowSettings, StreamSettings } from "#contract/job-settings/job-settings.ts";
import { previewSettingNames } from "#contract/job-settings/setting-values.ts";
import { withSwitches } from "#contract/jobs/video-settings.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { fillLayer } from "#contract/jobs/outputs/layer-rules.ts";
import type { Layer } from "#contract/jobs/outputs/layers.ts";
import { nameValuesOf, type NameValues } from "#contract/jobs/outputs/output-name.ts";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { exampleOutput, type NameOfLink } from "../draft/name-example.ts";
import { CAPTION_TIMING, readFields } from "../setting-fields.ts";

export type PreviewInput = {
  videos: readonly string[];
  captions: readonly string[];
  look: PreviewSettings;
  timing: StreamSettings<"timing">;
  watermark: string | null;
  watermarkImage: string | null;
  layers: readonly Layer[];
  /** The values of the layers' fields. The caption is filled in later. */
  valuesOf: (video: number) => NameValues;
  /** How fast the video plays. */
  speedOf: (video: number) => number;
  /** Overrides, one row per video; empty without any. */
  rows: readonly JobRow[];
};

export function toPreviewInput(form: JobForm, read: ReadForm, nameOf: NameOfLink): PreviewInput {
  return {
    videos: read.videos.valid,
    captions: read.captions,
    look: readFields(form, previewSettingNames()),
    timing: readFields(form, CAPTION_TIMING),
    watermark: read.watermark,
    watermarkImage: read.watermarkImage,
    layers: read.layers,
    valuesOf: (video) => nameValuesOf(exampleOutput(form, read, nameOf, video)),
    speedOf: (video) => read.rows[video]?.settings?.speed ?? speedOfClip(read, read.videos.valid[video]) ?? read.speed,
    rows: read.rows,
  };
}

export function inputOfVideo(input: PreviewInput, video: number): PreviewInput {
  const { settings } = input.rows[video] ?? {};
  if (!settings) return input;
  const own = withSwitches(settings);
  const captions = own.custom_captions ?? input.captions;
  const isMarked = own.watermark_enabled !== false;
  return {
    ...input,
    captions: own.captions_enabled === false ? [] : captions,
    look: withOwn(input.look, own),
    timing: withOwn(input.timing, own),
    watermark: isMarked ? valueOr(own.watermark_text, input.watermark) : null,
    watermarkImage: isMarked ? valueOr(own.watermark_image, input.watermarkImage) : null,
  };
}

function speedOfClip({ slots }: ReadForm, link: string | undefined): number | undefined {
  return slots.flatMap(({ clips }) => clips).find((clip) => clip.link === link)?.speed;
}

function withOwn<Settings extends object>(settings: Settings, own: RowSettings): Settings {
  const given = Object.entries(own).filter(([name]) => name in settings);
  return given.length === 0 ? settings : { ...settings, ...(Object.fromEntries(given) as Partial<Settings>) };
}

function valueOr<Value>(own: Value | undefined, value: Value): Value {
  return own === undefined ? value : own;
}

const MOST_SECONDS = JOB_LIMITS.segmentSeconds;

/** Returns null if there is nothing to preview. `isShown`: the caption is visible at that time. */
export function toPreviewRequest(
  request: PreviewInput,
  at: { caption: number; video: number; scrubber?: { atSeconds: number; isShown: boolean } | null },
): PreviewRequest | null {
  const caption = request.captions[at.caption] ?? null;
  const video = request.videos[at.video] ?? null;
  const { watermark, watermarkImage } = request;
  const layers = fillLayers(request, at.video, caption);
  const isEmpty = video === null && caption === null && watermark === null && watermarkImage === null;
  if (isEmpty && !layers.some(isFilled)) return null;
  const drawn = { ...request.look, watermark_text: watermark, watermark_image: watermarkImage };
  const { atSeconds, isShown } = at.scrubber ?? { atSeconds: null, isShown: true };
  const ofSource = atSeconds === null ? null : Math.min(atSeconds * request.speedOf(at.video), MOST_SECONDS);
  return { input_video: video, at_seconds: ofSource, caption: isShown ? caption : null, ...drawn, layers };
}

/** Keeps the places of empty layers. */
function fillLayers({ layers, valuesOf }: PreviewInput, video: number, caption: string | null): Layer[] {
  if (layers.length === 0) return [];
  const values = valuesOf(video);
  const [, part = values.source] = Object.entries(values.row).find(([field]) => field.startsWith("part.")) ?? [];
  const fill = (pattern: string) =>
    fillLayer(pattern, { ...values, caption: caption ?? "" }, part).slice(0, JOB_LIMITS.filledLayerCharacters);
  return layers.map((layer): Layer =>
    layer.kind === "text" ? { ...layer, text: fill(layer.text) } : { ...layer, image: fill(layer.image) },
  );
}

function isFilled(layer: Layer): boolean {
  return (layer.kind === "text" ? layer.text : layer.image) !== "";
}
