import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import { readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { openSource } from "#operations/downloads/open-source.ts";
import { readManifest } from "#operations/downloads/manifest/open-manifest.ts";
import { findFiles } from "#tests/support/jobs/find-files.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { boxOfPixels, pixelAt, probeFile, toneLevelDb } from "#tests/support/media/measure.ts";
import { readAllFrames } from "#tests/support/media/read-all-frames.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

let worker: TestWorker;
const links: Record<string, string> = {};
const SILENT = { red: "red", blue: "blue", lime: "lime", yellow: "yellow" };
const CLIPS = {
  ...Object.fromEntries(Object.entries(SILENT).map(([name, color]) => [name, { color, level: null }])),
  loud: { color: "red", level: 0.5 },
  soft: { color: "lime", level: 0.05 },
};
const FRAMES_PER_SECOND = 10;

beforeAll(async () => {
  worker = await openTestWorker();
  for (const [name, { color, level }] of Object.entries(CLIPS)) {
    const file = path.join(worker.folder, `${name}.mp4`);
    const shape = { width: 160, height: 160, framesPerSecond: FRAMES_PER_SECOND, seconds: 2 };
    await makeClip(file, { ...shape, color, ...(level === null ? { toneHz: null } : { level }) });
    worker.twin.add({ id: name, path: file, name: `${name}.mp4`, mimeType: "video/mp4" });
    links[name] = worker.twin.links(name);
  }
  worker.twin.add({
    ...{ id: "absent", path: path.join(worker.folder, "red.mp4"), name: "absent.mp4", mimeType: "video/mp4" },
    behaviour: { kind: "notFound" },
  });
  links["absent"] = worker.twin.links("absent");
  await worker.start();
});
afterAll(() => worker[Symbol.asyncDispose]());

const clip = (name: string, trim: { start_seconds?: number; end_seconds?: number; speed?: number } = {}) => ({
  link: links[name]!,
  ...trim,
});

async function make(request: Partial<CreateJobRequest>) {
  const job = await worker.create({ input_videos: [], ...request });
  return { job, ended: await worker.finish(job) };
}

type Look = "red" | "lime" | "blue" | "yellow";

function colorOf(frame: Awaited<ReturnType<typeof readAllFrames>>[number]): Look {
  const { red, green, blue } = pixelAt(frame, 10, 10);
  if (blue > 150) return "blue";
  if (red > 150) return green > 150 ? "yellow" : "red";
  return "lime";
}

/** The colors in a row, each with its seconds. */
async function colorsOf(file: string): Promise<string[]> {
  const runs: { color: Look; frames: number }[] = [];
  for (const color of (await readAllFrames(file)).map(colorOf)) {
    const last = runs.at(-1);
    if (last?.color === color) last.frames += 1;
    else runs.push({ color, frames: 1 });
  }
  return runs.map(({ color, frames }) => `${color} ${frames / FRAMES_PER_SECOND}`);
}

it("puts a clip of each slot in a row, for every combination that is not excluded", async () => {
  const { job, ended } = await make({
    slots: [
      { name: "Hook", clips: [clip("red", { end_seconds: 1 }), clip("blue")] },
      { name: "Body", clips: [clip("lime", { start_seconds: 0.5, end_seconds: 2 }), clip("yellow")] },
    ],
    exclude: [["Hook 2", links["yellow"]!]],
    name_pattern: "{part.hook}-{part.body}",
  });
  expect(ended).toMatchObject({
    status: "Completed",
    total_videos: 3,
    input_videos: ["red", "blue", "lime", "yellow"].map((name) => links[name]),
    rows: [],
  });
  const files = await findFiles(worker, job.id);
  expect(await Promise.all(files.map(colorsOf))).toEqual([
    ["red 1", "lime 1.5"],
    ["red 1", "yellow 2"],
    ["blue 2", "lime 1.5"],
  ]);
  expect((await readJobOutputs(worker.context, job.id)).map(({ name }) => name)).toEqual([
    "red-lime.mp4",
    "red-yellow.mp4",
    "blue-lime.mp4",
  ]);
  expect(
    (await readJobVideos(worker.context, job.id)).map(({ name, duration_seconds }) => [name, duration_seconds]),
  ).toEqual([
    ["red.mp4 + lime.mp4", 2.5],
    ["red.mp4 + yellow.mp4", 3],
    ["blue.mp4 + lime.mp4", 3.5],
  ]);
});

it("says in the manifest which clips made each file, and starts again from it", async () => {
  const { job } = await make({
    slots: [
      { name: "Hook", clips: [clip("red"), clip("blue")] },
      { name: "Body", clips: [clip("lime")] },
    ],
    combine: 1,
  });
  const manifest = await readManifest(worker.context, job.id);
  expect(manifest.outputs[0]!.parts).toEqual([
    { slot: "Hook", clip: 1, link: links["red"] },
    { slot: "Body", clip: 1, link: links["lime"] },
  ]);
  expect((await worker.create({ input_videos: [], ...manifest.request })).total_videos).toBe(1);
  const [video] = await readJobVideos(worker.context, job.id);
  await expect(openSource(worker.context, video!.id)).rejects.toThrow("made of several clips");
});

async function whiteWidth(file: string, seconds: number): Promise<number> {
  const frame = (await readAllFrames(file))[seconds * FRAMES_PER_SECOND]!;
  const box = boxOfPixels(frame, ({ red, green, blue }) => Math.min(red, green, blue) > 225);
  return box === null ? 0 : box.right - box.left;
}

it("shows a slot's captions instead of the job's, and another one in each variant", async () => {
  const { job, ended } = await make({
    slots: [
      { name: "Hook", clips: [clip("red")], captions: ["IIIIIIII", "M"] },
      { name: "Body", clips: [clip("blue")] },
    ],
    variants_per_video: 2,
  });
  expect(ended.status).toBe("Completed");
  const outputs = await readJobOutputs(worker.context, job.id);
  expect(outputs.map(({ caption }) => caption)).toEqual(["IIIIIIII", "M"]);
  const files = await findFiles(worker, job.id);
  const widths = await Promise.all(files.map((file) => whiteWidth(file, 1)));
  expect(widths[0]!).toBeGreaterThan(widths[1]! * 1.5);
  expect(widths[1]!).toBeGreaterThan(2);
  expect(await Promise.all(files.map((file) => whiteWidth(file, 3)))).toEqual([0, 0]);
});

it("cuts segments of the whole, across joins", async () => {
  const { job } = await make({
    slots: [
      { name: "Hook", clips: [clip("red")] },
      { name: "Body", clips: [clip("blue")] },
    ],
    segmentation_type: "multiple",
    segment_duration: 1.5,
  });
  const files = await findFiles(worker, job.id);
  expect(await Promise.all(files.map(colorsOf))).toEqual([["red 1.5"], ["red 0.5", "blue 1"], ["blue 1"]]);
  for (const file of files) expect((await probeFile(file)).streams[0]!.packets).toBeGreaterThan(0);
});

it("plays each clip at its own speed or the job's, and cuts segments on the playback clock", async () => {
  const { job } = await make({
    slots: [
      { name: "Hook", clips: [clip("red", { speed: 2 }), clip("blue", { end_seconds: 0.15 })] },
      { name: "Body", clips: [clip("lime", { start_seconds: 0.5, speed: 0.5 })] },
      { name: "End", clips: [clip("yellow")] },
    ],
    speed: 1.6,
    segmentation_type: "multiple",
    segment_duration: 2,
  });
  const files = await findFiles(worker, job.id);
  expect(await Promise.all(files.map(colorsOf))).toEqual([
    ["red 1", "lime 1"],
    ["lime 2"],
    // The last part of 1.3 s, in whole frames.
    ["yellow 1.3"],
  ]);
  const [made, short] = await readJobVideos(worker.context, job.id);
  expect(made!.duration_seconds).toBeCloseTo(1 + 3 + 2 / 1.6, 6);
  expect(short!.error_message).toBe(
    "Hook 2: The video is 2.0 s long, and its part of 0.15 s is too short for a speed of 1.6×.",
  );
  const { request } = await readManifest(worker.context, job.id);
  expect(request).toMatchObject({ speed: 1.6, slots: [{ clips: [{ speed: 2 }, {}] }, {}, {}] });
});

it("cuts segments as long as asked from a single video at the speed of its row", async () => {
  const { job } = await make({
    rows: [
      { link: links["lime"]!, settings: { speed: 0.5, start_seconds: 0.4, end_seconds: 1.9 } },
      { link: links["blue"]!, settings: { speed: 2 } },
    ],
    segmentation_type: "multiple",
    segment_duration: 2,
  });
  const files = await findFiles(worker, job.id);
  expect(await Promise.all(files.map(colorsOf))).toEqual([["lime 2"], ["lime 1"], ["blue 1"]]);
  const { outputs } = await readManifest(worker.context, job.id);
  expect(
    outputs.map(({ start_seconds, end_seconds, duration_seconds }) => [start_seconds, end_seconds, duration_seconds]),
  ).toEqual([
    [0.4, 1.4, 2],
    [1.4, 1.9, 1],
    [0, 2, 1],
  ]);
});

it.each([true, false])("makes clips equally loud (even_loudness %s)", async (isEven) => {
  const { job } = await make({
    slots: [
      { name: "Hook", clips: [clip("loud")] },
      { name: "Body", clips: [clip("soft")] },
    ],
    even_loudness: isEven,
  });
  const [file] = await findFiles(worker, job.id);
  const levelOf = (fromSeconds: number) => toneLevelDb(file!, 440, { fromSeconds, toSeconds: fromSeconds + 1.5 });
  const step = (await levelOf(0.25)) - (await levelOf(2.25));
  expect(Math.abs(step - (isEven ? 0 : 20))).toBeLessThan(1);
});

it("fades from clip to clip", async () => {
  const { job } = await make({
    slots: [
      { name: "Hook", clips: [clip("red")] },
      { name: "Body", clips: [clip("blue")] },
    ],
    transition_seconds: 0.5,
  });
  const [file] = await findFiles(worker, job.id);
  const frames = await readAllFrames(file!);
  expect(frames).toHaveLength(3.5 * FRAMES_PER_SECOND);
  const { red, blue } = pixelAt(frames[1.7 * FRAMES_PER_SECOND]!, 10, 10);
  expect(Math.min(red, blue)).toBeGreaterThan(80);
});

it("fails only the videos with a clip that cannot be used, and names it", async () => {
  const { job, ended } = await make({
    slots: [
      { name: "Hook", clips: [clip("red"), clip("absent")] },
      { name: "Body", clips: [clip("lime")] },
    ],
  });
  expect(ended).toMatchObject({ status: "Completed", failed_videos: 1 });
  const videos = await readJobVideos(worker.context, job.id);
  expect(videos.map(({ status }) => status)).toEqual(["Completed", "Failed"]);
  expect(videos[1]!.error_message).toMatch(/^Hook 2: /);
  expect(ended.error_message).toMatch(/Hook 2: /);
});
