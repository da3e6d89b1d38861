/** Rows with different caption colors, parts, formats and music, to identify them in their files. */
import path from "node:path";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import type { ManifestOutput } from "#contract/manifest/manifest.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import type { TestWorker } from "../servers/worker.ts";
import { makeClip, makeTone } from "./make-clip.ts";
import { boxOfPixels, durations, type Frame, framePixels } from "./measure.ts";

const COLORS = ["#ff0000", "#00ff00", "#0000ff"] as const;
const FORMATS = ["source", "1:1"] as const;
const START_SECONDS = [0, 0.2, 0.4, 0.6, 0.8];
const SECONDS = 0.6;
const FRAMES_PER_SECOND = 10;
/** Brightness (0-255) of the first frame, and its increase per frame. */
const DARKEST = 40;
const LIGHTER = 10;
const SKUS = 20;

type RowFacts = {
  color: string | undefined;
  firstFrame: number;
  seconds: number;
  hasSound: boolean;
  isSquare: boolean;
};

/** Adds the rows' source and music to the worker's twin. */
export async function makeRowTable({ folder, twin }: TestWorker, count: number): Promise<JobRow[]> {
  const clip = path.join(folder, "clip.mp4");
  const tone = path.join(folder, "tone.m4a");
  const gray = `geq=lum='${DARKEST}+${LIGHTER}*N'`;
  const picture = `color=c=black:s=160x90:r=${FRAMES_PER_SECOND}:d=2,format=gray,${gray}`;
  await makeClip(clip, { picture, seconds: 2, toneHz: null });
  await makeTone(tone, { frequencyHz: 440, seconds: 1 });
  twin.add({ id: "clip", path: clip, name: "clip.mp4", mimeType: "video/mp4", behaviour: { kind: "normal" } });
  twin.add({ id: "tone", path: tone, name: "tone.m4a", mimeType: "audio/mp4", behaviour: { kind: "normal" } });
  return Array.from({ length: count }, (_, i) => ({
    link: twin.links("clip"),
    settings: {
      custom_captions: [captionOf(i)],
      caption_color: at(COLORS, i),
      start_seconds: at(START_SECONDS, i),
      end_seconds: at(START_SECONDS, i) + SECONDS,
      format: at(FORMATS, i),
      ...(hasMusic(i) ? { custom_audio_links: [twin.links("tone")] } : {}),
    },
    pass: { sku: skuOf(i) },
  }));
}

export const ROW_TABLE_SETTINGS = {
  caption_size: "large",
  quality: "draft",
  name_pattern: "{row.sku}-{caption:4}",
} as const;

export function wantedOf(i: number): RowFacts {
  return {
    color: at(COLORS, i),
    firstFrame: Math.round(at(START_SECONDS, i) * FRAMES_PER_SECOND),
    seconds: SECONDS,
    hasSound: hasMusic(i),
    isSquare: at(FORMATS, i) === "1:1",
  };
}

export async function measureRow(file: string): Promise<RowFacts> {
  const frame = await framePixels(file, 0);
  const { video, audio } = await durations(file);
  return {
    color: colorOfCaption(frame),
    firstFrame: Math.round(frame.data[1]! / LIGHTER) - DARKEST / LIGHTER,
    seconds: Math.round(video * FRAMES_PER_SECOND) / FRAMES_PER_SECOND,
    hasSound: !Number.isNaN(audio),
    isSquare: frame.width === frame.height,
  };
}

export async function listedOf(i: number, file: string): Promise<Partial<ManifestOutput>> {
  const { width, height } = await framePixels(file, 0);
  const start = at(START_SECONDS, i);
  return {
    row: i + 1,
    caption: captionOf(i),
    track_name: hasMusic(i) ? "tone" : null,
    start_seconds: start,
    end_seconds: Number((start + SECONDS).toFixed(3)),
    format: at(FORMATS, i),
    width,
    height,
    sha256: await sha256OfFile(file),
  };
}

/** If another row has the first name, the second is possible, too. */
export function namesOf(i: number, count: number): string[] {
  const name = `${skuOf(i)}-SALE`;
  const place = `${String(i + 1).padStart(Math.max(3, String(count).length), "0")}-v1`;
  const isShared = i >= SKUS || i + SKUS < count;
  return [`${name}.mp4`, ...(isShared ? [`${name}-${place}.mp4`] : [])];
}

function captionOf(i: number): string {
  return `SALE ${i}`;
}

function skuOf(i: number): string {
  return `A-${i % SKUS}`;
}

function hasMusic(i: number): boolean {
  return i % 3 === 0;
}

function at<Item>(items: readonly Item[], i: number): Item {
  return items[i % items.length]!;
}

/** The picture is gray, so any color is the caption's. */
function colorOfCaption(frame: Frame): string | undefined {
  const counts = ([0, 1, 2] as const).map((channel) => boxOfPixels(frame, (pixel) => isOf(channel, pixel))?.count ?? 0);
  return COLORS[counts.indexOf(Math.max(20, ...counts))];
}

function isOf(channel: 0 | 1 | 2, { red, green, blue }: { red: number; green: number; blue: number }): boolean {
  const others = [red, green, blue];
  const [value] = others.splice(channel, 1);
  return others.every((other) => value! - other > 60);
}
