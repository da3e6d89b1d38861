import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ClipmillError, type ErrorCode } from "#contract/errors.ts";
import { readJob, readJobVideos } from "#operations/jobs/read-job.ts";
import { openTestWorker, type TestWorker } from "#tests/support/worker.ts";
import { putOff } from "./put-off.ts";

let worker: TestWorker;
beforeAll(async () => {
  worker = await openTestWorker();
});
afterAll(() => worker[Symbol.asyncDispose]());

const waitOf = (code: ErrorCode, attempt: number, retryAfterSeconds: number | null = null) =>
  putOff(new ClipmillError(code, "No.", { retryAfterSeconds }), attempt).retryAfterSeconds;

it("waits for minutes where only time helps, longer each time, unless the other side names a time itself", () => {
  expect([1, 2, 3].map((attempt) => waitOf("quota_exceeded", attempt))).toEqual([600, 1_200, 2_400]);
  expect([1, 2, 3].map((attempt) => waitOf("no_space", attempt))).toEqual([30, 60, 120]);
  expect(waitOf("quota_exceeded", 1, 5)).toBe(5);
  expect(waitOf("network", 1)).toBeNull();
});

it("says why a video waits while Google's quota is used up", async () => {
  worker.twin.add({
    id: "popular",
    bytes: Buffer.from("a film"),
    name: "popular.mp4",
    mimeType: "video/mp4",
    behaviour: { kind: "quotaExceeded" },
  });
  await worker.start();
  const job = await worker.create({ input_videos: [worker.twin.links("popular")] });
  const readWait = async () => {
    const { rows } = await sql<{ state: string; minutes: number }>`
      select state, round(extract(epoch from start_after - now()) / 60)::int as minutes from pgboss.job`.execute(
      worker.context.db,
    );
    return rows;
  };
  await expect.poll(readWait, { timeout: 20_000 }).toEqual([{ state: "retry", minutes: 10 }]);
  const [video] = await readJobVideos(worker.context, job.id);
  expect(video).toMatchObject({
    status: "Queued",
    error_message: expect.stringMatching(/^Too many people downloaded this file/),
  });
  expect(await readJob(worker.context, job.id)).toMatchObject({ status: "Processing" });
});
