import { ClipmillError, detailsOf } from "#contract/errors.ts";
import { streamSettings } from "#contract/job-settings/setting-values.ts";
import { type Assignment, assignOutputs, partOf } from "#contract/jobs/outputs/assignment.ts";
import { fillLayer, layerImages, nameImages } from "#contract/jobs/outputs/layer-rules.ts";
import type { NameValues } from "#contract/jobs/outputs/output-name.ts";
import {
  captionsOf,
  choiceOf,
  clockSpeed,
  formatsOf,
  languageOfFile,
  languagesOf,
  segmentationOf,
  trackLinksOf,
} from "#contract/jobs/video-settings.ts";
import { playedSeconds } from "#media/plan/plan-render.ts";
import { createDrawings } from "#media/plan/layers.ts";
import type { MediaFile, RenderRequest } from "#media/plan/render-plan.ts";
import { paced } from "#media/plan/speed.ts";
import { cutParts, type LaidPart, putAround } from "#media/plan/timeline/timeline.ts";
import type { Probe } from "#media/probe/probe.ts";
import { isOnlySamples } from "#operations/jobs/proof/wait-for-approval.ts";
import type { ClaimedVideo } from "#operations/jobs/videos/claim-video.ts";
import { clipsOf } from "#operations/jobs/videos/clips-of-video.ts";

type Claimed = Pick<ClaimedVideo, "job" | "turns"> & {
  video: Pick<ClaimedVideo["video"], "link" | "clips" | "proof_variants">;
};

/** Puts the clip's name before the message of an error. */
export function nameFailure(name: string | null, error: unknown): unknown {
  if (!(error instanceof ClipmillError) || name === null) return error;
  return new ClipmillError(error.code, `${name}: ${error.message}`, detailsOf(error));
}

function naming<Result>(name: string | null, run: () => Result): Result {
  try {
    return run();
  } catch (error) {
    throw nameFailure(name, error);
  }
}

/**
 * Trims within each clip's length. Lengths are on the clock of windows (`clockSpeed`). Throws like `partOf` for a clip
 * that is too short.
 */
function layParts(claim: Claimed, probes: readonly Probe[]): LaidPart[] {
  const { job, video } = claim;
  const isSoundReplaced = trackLinksOf(job).length > 0 && job.audio_mode === "replace";
  return clipsOf(claim).map(({ name, window: wanted, speed }, source) => {
    const probe = probes[source]!;
    const whole = playedSeconds(probe, isSoundReplaced && wanted === null);
    const { startSeconds = 0, endSeconds = Infinity } = wanted ?? {};
    const window = naming(name, () => partOf(whole, { start_seconds: startSeconds, end_seconds: endSeconds }, speed));
    const sourceSeconds = window ? window.endSeconds - window.startSeconds : whole;
    const seconds = video.clips === null ? sourceSeconds : sourceSeconds / speed;
    return Object.assign({ source, window, seconds, sourceSeconds }, paced(speed));
  });
}

/**
 * `wanted` are the outputs to make now, `count` is that of all. Until a proof is approved, only its samples are wanted:
 * the first segments of some variants. `probes` are those of the clips. Throws like assignOutputs.
 */
export function assignWanted(
  claim: Claimed,
  probes: readonly Probe[],
): { wanted: Assignment[]; count: number; seconds: number } {
  const { job, turns } = claim;
  const seconds = layParts(claim, probes).reduce((sum, part) => sum + part.seconds, 0);
  const all = assignOutputs({
    turns,
    durationSeconds: seconds,
    part: partOf(seconds, job, clockSpeed(job)),
    speed: clockSpeed(job),
    variants: job.variants_per_video,
    formats: formatsOf(job).length,
    languages: languagesOf(job).length,
    captions: captionsOf(job).length,
    tracks: trackLinksOf(job).length,
    segmentation: segmentationOf(job),
  });
  const samples = claim.video.proof_variants ?? [];
  const isSample = ({ variant, segment }: Assignment) => segment === 0 && samples.includes(variant);
  return { wanted: isOnlySamples(job) ? all.filter(isSample) : all, count: all.length, seconds };
}

export function assignedTracks(job: ClaimedVideo["job"], outputs: readonly Assignment[]): string[] {
  const indexes = outputs.flatMap(({ trackIndex }) => (trackIndex === null ? [] : [trackIndex]));
  return [...new Set(indexes)].map((index) => trackLinksOf(job)[index]!);
}

/**
 * Returns a request for each format. Skips outputs whose track is missing from `tracks` (by index in the job). Keys are
 * places in the video.
 */
export function toRenderRequests(claim: Claimed, parts: RequestParts): RenderRequest[] {
  return formatsOf(claim.job).flatMap((format, index) => {
    const assignments = parts.assignments.filter(({ formatIndex }) => formatIndex === index);
    const job = { ...claim.job, format };
    return assignments.length === 0 ? [] : [toRenderRequest({ ...claim, job }, { ...parts, assignments })];
  });
}

function toRenderRequest(claim: Claimed, parts: RequestParts): RenderRequest {
  const { clips, names, intro = null, outro = null, tracks, images, valuesOf, translate = asWritten } = parts;
  const { assignments } = parts;
  const { job } = claim;
  const { sources, around } = putAround(clips, { intro, outro });
  const laid = layParts(
    claim,
    clips.map(({ probe }) => probe),
  );
  const drawings = createDrawings();
  const settings = streamSettings(job);
  const captions = captionsOf(job);
  const image = watermarkImageOf(job);
  const watermark = {
    text: job.watermark_enabled ? job.watermark_text : null,
    image: image === null ? null : images.get(image)!,
  };
  const texts = clipsOf(claim);
  const places = new Map([...tracks.keys()].map((trackIndex, place) => [trackIndex, place]));
  const makeable = assignments.filter(({ trackIndex }) => trackIndex === null || places.has(trackIndex));
  const outputs = makeable.map((assignment) => {
    const { window, captionIndex, trackIndex, ...place } = assignment;
    const caption = captionIndex === null ? null : (captions[captionIndex] ?? null);
    const values = valuesOf(assignment);
    const fill = (pattern: string, name: string) => fillLayer(pattern, values, name);
    const language = languageOfFile(claim.job, place.variant);
    const shown = laid.map((part, i): LaidPart => {
      const own = texts[i]!.captionOf(choiceOf(job, place.variant));
      return own === null
        ? part
        : Object.assign({ caption: drawings.caption(translate(own, language), language) }, part);
    });
    return {
      key: placeOf(place),
      parts: around(cutParts(shown, window)),
      layers: [
        ...drawings.watermarkLayers(watermark, settings),
        ...drawings.layersOf(job.layers, { fill, names, images }).filter((layer) => layer !== null),
        ...(caption === null ? [] : [drawings.captionLayer(translate(caption, language), settings, language)]),
      ],
      trackIndex: trackIndex === null ? null : places.get(trackIndex)!,
    };
  });
  return {
    sources,
    tracks: [...tracks.values()],
    drawings: drawings.drawings,
    settings,
    maxBytes: job.max_megabytes === null ? null : job.max_megabytes * 1_000_000,
    outputs,
  };
}

/** Names by link, such as "The watermark image", of the images that a video shows. `columns` are those of its row. */
export function imagesOf(job: ClaimedVideo["job"], columns: Readonly<Record<string, string>>): Map<string, string> {
  return nameImages(watermarkImageOf(job), layerImages(job.layers, [columns]));
}

function watermarkImageOf(job: ClaimedVideo["job"]): string | null {
  return job.watermark_enabled ? job.watermark_image : null;
}

/** Returns a caption in a language. */
export type Translate = (caption: string, language: string | null) => string;

const asWritten: Translate = (caption) => caption;

type RequestParts = {
  clips: readonly [MediaFile, ...MediaFile[]];
  /** File names of the clips. */
  names: readonly string[];
  intro?: MediaFile | null;
  outro?: MediaFile | null;
  tracks: ReadonlyMap<number, MediaFile>;
  /** Paths by link: `imagesOf`. */
  images: ReadonlyMap<string, string>;
  valuesOf: (output: Assignment) => NameValues;
  /** By default, captions stay as they are written. */
  translate?: Translate;
  assignments: Assignment[];
};

export function placeOf(output: { variant: number; segment: number }): string {
  return `${output.variant}.${output.segment}`;
}
