import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readManifest } from "#operations/downloads/manifest/open-manifest.ts";
import { readJobOutputs } from "#operations/jobs/read/read-job.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

let worker: TestWorker;
let link: string;

beforeAll(async () => {
  worker = await openTestWorker();
  const file = path.join(worker.folder, "clip.mp4");
  await makeClip(file, { width: 160, height: 160, framesPerSecond: 10, seconds: 1 });
  worker.twin.add({ id: "clip", path: file, name: "clip.mp4", mimeType: "video/mp4" });
  link = worker.twin.links("clip");
  await worker.start();
});
afterAll(() => worker[Symbol.asyncDispose]());

it("makes each variant in all formats, with the same caption", async () => {
  const job = await worker.create({
    input_videos: [link],
    formats: ["1:1", "4:5"],
    captions_enabled: true,
    custom_captions: ["One", "Two"],
    variants_per_video: 2,
  });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed", format: "1:1", formats: ["1:1", "4:5"] });
  const outputs = await readJobOutputs(worker.context, job.id);
  expect(outputs.map(({ name, caption, width, height }) => [name, caption, `${width}x${height}`])).toEqual([
    ["001-v1-1x1-clip.mp4", "One", "1080x1080"],
    ["001-v2-4x5-clip.mp4", "One", "1080x1350"],
    ["001-v3-1x1-clip.mp4", "Two", "1080x1080"],
    ["001-v4-4x5-clip.mp4", "Two", "1080x1350"],
  ]);
  const manifest = await readManifest(worker.context, job.id);
  expect(manifest.outputs.map(({ format }) => format)).toEqual(["1:1", "4:5", "1:1", "4:5"]);
  expect(manifest.request.formats).toEqual(["1:1", "4:5"]);
});
