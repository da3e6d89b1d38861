/** Rows of a table, rendered and measured: captions in pixels, windows by the frames' brightness, names and manifest. */
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import type { Manifest, ManifestOutput } from "#contract/manifest/manifest.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import { readManifest } from "#operations/downloads/manifest/open-manifest.ts";
import { makeClip, makeTone } from "#tests/support/media/make-clip.ts";
import { boxOfPixels, durations, type Frame, framePixels } from "#tests/support/media/measure.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

const ROWS = 30;
const FRAME_SECONDS = 0.1;
/** Every row of the table shows another part of the source. */
const START_SECONDS = [0, 0.2, 0.4, 0.6, 0.8];
const SECONDS = 0.6;
const FORMATS = ["source", "1:1"] as const;
/** The color tells whose caption a file shows. */
const COLORS = ["#ff0000", "#00ff00", "#0000ff"] as const;

let worker: TestWorker;
let manifest: Manifest;
let files: string[];

const rows = (video: string, music: string): JobRow[] =>
  Array.from({ length: ROWS }, (_, i) => ({
    link: video,
    settings: {
      custom_captions: [`SALE ${i}`],
      caption_color: COLORS[i % COLORS.length]!,
      start_seconds: START_SECONDS[i % START_SECONDS.length]!,
      end_seconds: START_SECONDS[i % START_SECONDS.length]! + SECONDS,
      format: FORMATS[i % FORMATS.length]!,
      ...(i % 3 === 0 ? { custom_audio_links: [music] } : {}),
    },
    pass: { sku: `A-${i % 20}` },
  }));

beforeAll(async () => {
  worker = await openTestWorker();
  const { folder, twin } = worker;
  const clip = path.join(folder, "clip.mp4");
  const tone = path.join(folder, "tone.m4a");
  // Each frame of the gray picture is 10 levels lighter than the one before it.
  const picture = `color=c=black:s=160x90:r=10:d=2,format=gray,geq=lum='40+10*N'`;
  await makeClip(clip, { picture, seconds: 2, toneHz: null });
  await makeTone(tone, { frequencyHz: 440, seconds: 1 });
  twin.add({ id: "clip", path: clip, name: "clip.mp4", mimeType: "video/mp4", behaviour: { kind: "normal" } });
  twin.add({ id: "tone", path: tone, name: "tone.m4a", mimeType: "audio/mp4", behaviour: { kind: "normal" } });
  await worker.start(2);
});
afterAll(() => worker[Symbol.asyncDispose]());

it("makes one file per row", async () => {
  const { twin } = worker;
  const job = await worker.finish(
    await worker.create({
      input_videos: [],
      rows: rows(twin.links("clip"), twin.links("tone")),
      caption_position: "bottom",
      caption_size: "large",
      quality: "draft",
      name_pattern: "{row.sku}-{caption:4}",
    }),
  );
  expect(job.status).toBe("Completed");
  manifest = await readManifest(worker.context, job.id);
  const stored = await worker.context.db
    .selectFrom("job_outputs")
    .innerJoin("job_videos", "job_videos.id", "video_id")
    .select("storage_key")
    .where("job_outputs.job_id", "=", job.id)
    .orderBy("position")
    .execute();
  files = await Promise.all(stored.map(({ storage_key: key }) => worker.context.storage.toLocalFile(key!)));
  expect(files).toHaveLength(ROWS);
});

it("shows each row's own caption, part and format, with its own music", async () => {
  for (const [i, file] of files.entries()) {
    const output = manifest.outputs[i]!;
    const frame = await framePixels(file, 0);
    expect([i, colorOfCaption(frame)]).toEqual([i, COLORS[i % COLORS.length]]);
    expect([i, firstFrameOf(frame)]).toEqual([i, Math.round(START_SECONDS[i % START_SECONDS.length]! / FRAME_SECONDS)]);
    const { video, audio } = await durations(file);
    expect(video).toBeCloseTo(SECONDS, 1);
    expect(Number.isNaN(audio)).toBe(i % 3 !== 0);
    expect([frame.width === frame.height, output.format]).toEqual(i % 2 === 0 ? [false, "source"] : [true, "1:1"]);
  }
});

it("lists what each file is, as measured", async () => {
  const listed = manifest.outputs.map((output) => pick(output));
  const wanted = await Promise.all(
    files.map(async (file, i) => {
      const { width, height } = await framePixels(file, 0);
      const start = START_SECONDS[i % START_SECONDS.length]!;
      return {
        row: i + 1,
        caption: `SALE ${i}`,
        track_name: i % 3 === 0 ? "tone" : null,
        start_seconds: start,
        end_seconds: Number((start + SECONDS).toFixed(3)),
        width,
        height,
        sha256: await sha256OfFile(file),
      };
    }),
  );
  expect(listed).toEqual(wanted);
});

it("names each file by the pattern, and those with the same name also by their place", () => {
  const names = manifest.outputs.map(({ output }) => output);
  expect(new Set(names).size).toBe(ROWS);
  for (const [i, name] of names.entries()) {
    const place = `-${String(i + 1).padStart(3, "0")}-v1`;
    const sku = `A-${i % 20}-SALE`;
    const isShared = i < 10 || i >= 20;
    expect([`${sku}.mp4`, ...(isShared ? [`${sku}${place}.mp4`] : [])]).toContain(name);
  }
});

function pick({ row, caption, track_name, start_seconds, end_seconds, width, height, sha256 }: ManifestOutput) {
  return { row, caption, track_name, start_seconds, end_seconds, width, height, sha256 };
}

/** Returns the color of most saturated pixels: the picture itself is gray. */
function colorOfCaption(frame: Frame): string | undefined {
  const counts = COLORS.map((color) => boxOfPixels(frame, (pixel) => isOf(color, pixel))?.count ?? 0);
  return COLORS[counts.indexOf(Math.max(20, ...counts))];
}

function isOf(color: string, { red, green, blue }: { red: number; green: number; blue: number }): boolean {
  const [most, ...others] =
    color === "#ff0000" ? [red, green, blue] : color === "#00ff00" ? [green, red, blue] : [blue, red, green];
  return others.every((other) => most - other > 60);
}

/** Returns the number of the source's frame by the brightness of the upper left corner. */
function firstFrameOf({ data }: Frame): number {
  return Math.round(data[1]! / 10) - 4;
}
