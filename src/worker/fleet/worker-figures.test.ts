import path from "node:path";
import { Registry } from "prom-client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { openTestWorker, type TestWorker } from "#tests/support/servers/worker.ts";
import { createWorkerFigures } from "./worker-figures.ts";

let worker: TestWorker;
const registry = new Registry();

beforeAll(async () => {
  worker = await openTestWorker();
  await makeClip(path.join(worker.folder, "clip.mp4"), { width: 180, height: 320, seconds: 1 });
  await worker.start(1, { figures: createWorkerFigures(registry) });
});
afterAll(() => worker[Symbol.asyncDispose]());

it("counts results of videos, failures by code, renders and stored outputs", async () => {
  expect(await registry.metrics()).toContain('clipmill_videos_ended_total{result="Completed"} 0');
  const clip = path.join(worker.folder, "clip.mp4");
  worker.twin.add({ id: "good", path: clip, name: "good.mp4", mimeType: "video/mp4", behaviour: { kind: "normal" } });
  const job = await worker.create({
    input_videos: [worker.twin.links("good"), "nonsense"],
    variants_per_video: 2,
    captions_enabled: true,
    custom_captions: ["One", "Two"],
  });
  await worker.finish(job);
  const stored = await storedBytes(job.id);

  // The job ends a moment before its last video is counted.
  await expect.poll(() => valueOf('clipmill_videos_ended_total{result="Failed"}')).toBe(1);
  await expect.poll(() => valueOf('clipmill_videos_ended_total{result="Completed"}')).toBe(1);
  expect(await valueOf('clipmill_attempts_failed_total{reason="bad_link"}')).toBe(1);
  expect(await valueOf("clipmill_outputs_stored_total")).toBe(2);
  expect(await valueOf("clipmill_output_bytes_stored_total")).toBe(stored);
  expect(await valueOf("clipmill_output_media_seconds_total")).toBeCloseTo(2, 0);
  expect(await valueOf("clipmill_render_seconds_total")).toBeGreaterThan(0);
});

async function valueOf(series: string): Promise<number | null> {
  const line = (await registry.metrics()).split("\n").find((each) => each.startsWith(`${series} `));
  return line ? Number(line.slice(series.length + 1)) : null;
}

async function storedBytes(jobId: string): Promise<number> {
  const outputs = await worker.context.db
    .selectFrom("job_outputs")
    .select("size_bytes")
    .where("job_id", "=", jobId)
    .where("status", "=", "Completed")
    .execute();
  return outputs.reduce((sum, output) => sum + (output.size_bytes ?? 0), 0);
}
