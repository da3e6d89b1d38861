import type { JobSettings } from "../../job-settings/job-settings.ts";
import type { Codec, Quality } from "../jobs.ts";
import {
  captionsOf,
  clockSpeed,
  formatsOf,
  looksOf,
  segmentationOf,
  settingsOfVideo,
  turnsOf,
} from "../video-settings.ts";
import { captionIndexOf } from "./assignment.ts";
import { countClips, type CountedPart, type CountedSettings, type CountedVideo, secondsOfPart } from "./count-files.ts";

/** Besides those that files are counted from. */
export const WORK_SETTINGS = [
  "quality",
  "codec",
  "caption_start_seconds",
  "caption_end_seconds",
  "watermark_enabled",
  "platform",
  "cut_silences_ms",
  "cut_fillers",
  "fit",
  "fit_focus",
  "intro_link",
  "outro_link",
] as const satisfies (keyof JobSettings)[];

export type WorkSettings = CountedSettings & Pick<JobSettings, (typeof WORK_SETTINGS)[number]>;

/**
 * `seconds`: the work, in seconds of one encode in standard quality; `encodes`: how many can run at the same time, if
 * all videos are processed side by side.
 */
export type Work = { seconds: number; encodes: number };

/** All relative to encoding a second in standard quality. Measured with `npm run bench forecasts`. */
const COST = {
  encode: {
    h264: { draft: 0.4, standard: 1, high: 4.3 },
    /** docs/decisions/0068. */
    hevc: { draft: 2, standard: 4.2, high: 10 },
  } satisfies Record<Codec, Record<Quality, number>>,
  /** Per second of a source, for all its pictures together. */
  decode: 0.93,
  /** Per second of a source whose faces a crop follows: it is decoded once more. */
  faces: 1,
  /** Per second of a picture that is not encoded. */
  copy: 0.02,
  /** Per distinct picture, or clip of one: its thumbnail, sound and file. Copies of it cost next to nothing. */
  clip: 2.6,
  copiedClip: 1.2,
  /** Its fetch, probe and database rows. */
  video: 0.6,
  job: 2.9,
};

/** Each distinct stretch is encoded once (ADR 27). Returns null while a video's length is unknown. */
export function countWork(job: WorkSettings, videos: readonly CountedVideo[]): Work | null {
  const work: Work = { seconds: COST.job, encodes: 0 };
  const known = new Set<string>();
  for (const [position, { durationSeconds, row = null, parts }] of videos.entries()) {
    const settings = settingsOfVideo(job, row);
    const speed = clockSpeed(settings);
    const partSeconds = secondsOfPart(durationSeconds, settings, speed);
    if (partSeconds === null) return null;
    const turn = turnsOf(job, row, position).caption;
    const { pictures, encoded, covered } = parts
      ? countParts(settings, parts, { turn, known })
      : countPictures(settings, partSeconds, turn);
    const isCopied = !parts && pictures === 1 && isUnchanged(settings);
    const clips = pictures * countClips(durationSeconds, settings).clips;
    const formats = formatsOf(settings).length;
    const faces = followsFaces(settings) ? covered * COST.faces : 0;
    const seconds = isCopied
      ? COST.copiedClip * clips + encoded * COST.copy
      : COST.clip * clips + encoded * COST.encode[settings.codec][settings.quality] + covered * speed * COST.decode;
    work.seconds += COST.video + faces + formats * seconds;
    work.encodes += formats * pictures;
  }
  return work;
}

/** Of one video: distinct captions and subtitles in all languages, the seconds to encode for them, and those to decode, as they play. */
function countPictures(settings: WorkSettings, partSeconds: number, turn: number) {
  const captions = captionsOf(settings);
  const { variants_per_video: variants, caption_start_seconds: from, caption_end_seconds: to } = settings;
  const segmentation = segmentationOf(settings);
  const looks = looksOf(settings, captions.length > 0);
  const used = new Set(Array.from({ length: variants }, (_, i) => captionIndexOf(turn + i, captions.length)));
  const pictures = used.size * looks;
  if (segmentation?.type === "single") {
    // Windows are spread over the video, so that hardly any frames are in common.
    const encoded = Math.min(segmentation.segmentSeconds, partSeconds) * variants;
    const all = { pictures: variants * looks, encoded: encoded * looks };
    return { ...all, covered: Math.min(encoded, partSeconds) };
  }
  const captioned = captions.length === 0 ? partSeconds : Math.max(0, Math.min(to ?? Infinity, partSeconds) - from);
  const isShared = segmentation === null;
  const besides = (partSeconds - captioned) * looksOf(settings, false);
  const encoded = isShared ? besides + captioned * pictures : partSeconds * pictures;
  return { pictures, encoded, covered: partSeconds };
}

/** Of an assembled video: a clip that another video has with the same caption is encoded already. */
function countParts(
  settings: WorkSettings,
  parts: readonly CountedPart[],
  { turn, known }: { turn: number; known: Set<string> },
) {
  const captions = captionsOf(settings).length;
  const variants = Array.from({ length: settings.variants_per_video }, (_, i) => i);
  const used = new Set(variants.map((i) => captionIndexOf(turn + i, captions)));
  let encoded = 0;
  let covered = 0;
  for (const { key, seconds, ownCaptions } of parts) {
    const own = new Set(variants.map((i) => captionIndexOf(i, ownCaptions)));
    const looks = [...(ownCaptions > 0 ? own : used)].map((look) => `${key} ${look}`);
    const fresh = looks.filter((look) => !known.has(look));
    for (const look of fresh) known.add(look);
    encoded += fresh.length * seconds * looksOf(settings, captions + ownCaptions > 0);
    covered += fresh.length > 0 ? seconds : 0;
  }
  return { pictures: used.size * looksOf(settings, captions > 0), encoded, covered };
}

function followsFaces({ fit_focus: focus, fit, format, formats }: WorkSettings): boolean {
  return focus === "face" && fit === "crop" && (format !== "source" || formats.length > 1);
}

/** The picture of a usual source is then copied. */
function isUnchanged(settings: WorkSettings): boolean {
  const { captions_enabled: hasCaptions, watermark_enabled: hasWatermark, format, platform } = settings;
  const isAlone = settings.intro_link === null && settings.outro_link === null;
  const losesSpeech = settings.cut_silences_ms > 0 || settings.cut_fillers;
  const isCut = losesSpeech || settings.start_seconds > 0 || settings.end_seconds !== null;
  const isWhole = segmentationOf(settings) === null && !isCut && settings.speed === 1;
  const isShaped = format !== "source" || settings.formats.length > 1;
  const isBare = !hasCaptions && !settings.subtitles_enabled && !hasWatermark && isAlone;
  return isBare && isWhole && !isShaped && platform === null && settings.codec === "h264";
}
