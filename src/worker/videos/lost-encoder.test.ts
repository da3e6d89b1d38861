import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { readJobEvents } from "#operations/jobs/read/read-job.ts";
import { type GpuFfmpeg, makeGpuFfmpeg, openGpuTools } from "#tests/support/media/faulty/gpu-ffmpeg.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { probeFile, readDecodeErrors } from "#tests/support/media/measure.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";

let worker: TestWorker;
let gpu: GpuFfmpeg;
let rejections: string[];

beforeAll(async () => {
  worker = await openTestWorker();
  gpu = await makeGpuFfmpeg(worker.folder);
  const opened = await openGpuTools(gpu);
  rejections = opened.rejections;
  const clip = path.join(worker.folder, "clip.mp4");
  await makeClip(clip, { width: 160, height: 160, seconds: 2 });
  for (const id of ["one", "two", "three"]) {
    worker.twin.add({ id, path: clip, name: `${id}.mp4`, mimeType: "video/mp4" });
  }
  await worker.start(1, { tools: opened.tools });
});
afterAll(() => worker[Symbol.asyncDispose]());

async function makeJob(videos: string[]) {
  const job = await worker.create({
    input_videos: videos.map((id) => worker.twin.links(id)),
    watermark_enabled: true,
    watermark_text: videos.join(" "),
  });
  expect(await worker.finish(job)).toMatchObject({ status: "Completed", retry_count: 0 });
  const { db } = worker.context;
  const outputs = await db.selectFrom("job_outputs").select("storage_key").where("job_id", "=", job.id).execute();
  for (const { storage_key: key } of outputs) {
    const file = path.join(worker.folder, "output.mp4");
    await writeFile(file, await worker.context.storage.read(key!));
    expect(await readDecodeErrors(file)).toBe("");
    expect((await probeFile(file)).streams[0]).toMatchObject({ codec: "h264", packets: 60 });
  }
  expect(outputs).toHaveLength(videos.length);
  return job;
}

async function readEncoder() {
  const { media } = await worker.context.db.selectFrom("workers").select("media").executeTakeFirstOrThrow();
  return media!.encoder;
}

it("finishes a job in software when the device is lost in the middle of it, without using attempts", async () => {
  await makeJob(["one"]);
  expect(await readEncoder()).toMatchObject({ inUse: "h264_nvenc", refusal: null });
  await gpu.behave("breaksOff");
  const job = await makeJob(["two", "three"]);
  expect(rejections).toEqual([expect.stringContaining("device lost")]);
  const events = await readJobEvents(worker.context, job.id);
  expect(events.filter(({ message }) => /fail|retr/i.test(message ?? ""))).toEqual([]);
  await expect.poll(readEncoder, { timeout: 15_000 }).toMatchObject({ inUse: "software", refusal: rejections[0] });
});
