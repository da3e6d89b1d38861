import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import type { Download } from "#operations/downloads/link-signer.ts";
import { openJobZip } from "#operations/downloads/open-job-zip.ts";
import { openSubtitles } from "#operations/downloads/open-stored.ts";
import { readManifest } from "#operations/downloads/manifest/open-manifest.ts";
import { deleteLibraryFile } from "#operations/library/change-library-file.ts";
import { readJobOutputs, readJobVideos } from "#operations/jobs/read/read-job.ts";
import { findFiles } from "#tests/support/jobs/find-files.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { boxOfPixels, framePixels } from "#tests/support/media/measure.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

const SRT = "1\n00:00:00,500 --> 00:00:01,500\nHello there\n";

let worker: TestWorker;

beforeAll(async () => {
  worker = await openTestWorker();
  const clip = path.join(worker.folder, "clip.mp4");
  await makeClip(clip, { width: 320, height: 320, framesPerSecond: 10, seconds: 3, color: "gray" });
  worker.twin.add({ id: "clip", path: clip, name: "clip.mp4", mimeType: "video/mp4" });
  await addFile("hello.srt", SRT);
  await addFile("broken.srt", `${SRT}\n2\n00:00:0x,000 --> 00:00:02,000\nb`);
  await worker.start();
});
afterAll(() => worker[Symbol.asyncDispose]());

async function addFile(name: string, text: string) {
  const { db, storage } = worker.context;
  const [file, uploaded] = [path.join(worker.folder, name), path.join(worker.folder, `uploaded-${name}`)];
  for (const copy of [file, uploaded]) await writeFile(copy, text);
  await storage.put(`library/${name}`, uploaded);
  const facts = { size_bytes: text.length, duration_seconds: 0, is_sample: false, storage_key: `library/${name}` };
  await db
    .insertInto("library_files")
    .values({ id: path.parse(name).name, name, kind: "subtitles", ...facts, stored_at: new Date().toISOString() })
    .execute();
  worker.twin.add({ id: path.parse(name).name, path: file, name, mimeType: "application/x-subrip" });
}

async function textIn(download: Download): Promise<string> {
  const parts: Uint8Array[] = [];
  for await (const part of download.read({ start: 0, end: download.sizeBytes - 1 })) parts.push(part);
  return Buffer.concat(parts).toString("latin1");
}

const link = () => worker.twin.links("clip");

const isWhite = ({ red, green, blue }: { red: number; green: number; blue: number }) => red + green + blue > 690;

async function isShown(file: string, seconds: number): Promise<boolean> {
  return boxOfPixels(await framePixels(file, seconds), isWhite) !== null;
}

it("shows a library file's subtitles in the part of the video, and holds the file until the job ends", async () => {
  const subtitles = libraryLink("hello");
  const job = await worker.create({ input_videos: [link()], subtitles_enabled: true, subtitles, start_seconds: 0.3 });
  await expect(deleteLibraryFile(worker.context, "hello")).rejects.toMatchObject({ code: "conflict" });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed", subtitles });
  const [file] = await findFiles(worker, job.id);
  expect(await Promise.all([0.1, 0.4, 1.1, 1.4].map((at) => isShown(file!, at)))).toEqual([false, true, true, false]);
  const manifest = await readManifest(worker.context, job.id);
  expect(manifest.request).toMatchObject({ subtitles, subtitle_style: "line" });
  expect(manifest.outputs[0]!.subtitles).toMatch(/\.srt$/);
});

it("puts the subtitles beside each file, on the file's clock", async () => {
  const subtitles = libraryLink("hello");
  const wanted = { subtitles_enabled: true, subtitles, start_seconds: 0.3, variants_per_video: 2 };
  const job = await worker.create({
    input_videos: [link()],
    captions_enabled: true,
    custom_captions: ["A", "B"],
    ...wanted,
  });
  await worker.finish(job);
  const outputs = await readJobOutputs(worker.context, job.id);
  const srt = "1\n00:00:00,200 --> 00:00:01,200\nHello there\n";
  for (const { id, subtitles_url } of outputs) {
    expect(subtitles_url).toContain(`/downloads/subtitles/${id}`);
    expect(await textIn(await openSubtitles(worker.context, id, "srt"))).toBe(srt);
    const vtt = await textIn(await openSubtitles(worker.context, id, "vtt"));
    expect(vtt).toBe("WEBVTT\n\n00:00:00.200 --> 00:00:01.200\nHello there\n");
  }
  const zip = await textIn(await openJobZip(worker.context, job.id));
  expect(zip.split(srt)).toHaveLength(3);
});

it("shows a clip's subtitles while the clip plays", async () => {
  const body = { link: link(), subtitles: libraryLink("hello"), start_seconds: 0.3 };
  const slots = [
    { name: "Hook", clips: [{ link: link() }] },
    { name: "Body", clips: [body] },
  ];
  const job = await worker.create({ input_videos: [], slots, subtitles_enabled: true });
  await worker.finish(job);
  const [output] = await readJobOutputs(worker.context, job.id);
  const srt = "1\n00:00:03,200 --> 00:00:04,200\nHello there\n";
  expect(await textIn(await openSubtitles(worker.context, output!.id, "srt"))).toBe(srt);
  const [file] = await findFiles(worker, job.id);
  expect(await Promise.all([0.7, 3.1, 3.4, 4.1].map((at) => isShown(file!, at)))).toEqual([false, false, true, true]);
});

it("gives each row its own file; one without has a warning, and an unreadable one fails its video", async () => {
  const rows = [
    { link: link(), settings: { subtitles: worker.twin.links("hello") } },
    { link: link() },
    { link: link(), settings: { subtitles: libraryLink("broken") } },
  ];
  const settings = { subtitles_enabled: true, subtitle_style: "karaoke", cut_fillers: true } as const;
  const job = await worker.create({ input_videos: [], rows, ...settings });
  await worker.finish(job);
  const outputs = await readJobOutputs(worker.context, job.id);
  expect(outputs.map(({ status, warnings }) => [status, warnings.map(({ code }) => code)])).toEqual([
    ["Completed", []],
    ["Completed", ["fillers_not_cut", "subtitles_not_shown"]],
  ]);
  const [, , broken] = await readJobVideos(worker.context, job.id);
  expect(broken).toMatchObject({
    status: "Failed",
    error_code: "bad_subtitles",
    error_message: "Subtitles: broken.srt has times that cannot be read in line 6.",
  });
});
