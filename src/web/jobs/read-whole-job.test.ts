import { QueryClient } from "@tanstack/react-query";
import { beforeEach, expect, test, vi } from "vitest";
import type { Job, WholeJob } from "#contract/jobs/jobs.ts";
import { CallError } from "../api/functions/call-error.ts";
import { readJob, readJobColumns } from "../api/jobs.ts";
import { jobKeys } from "./cache/job-keys.ts";
import { readWholeJob } from "./read-whole-job.ts";
import { testJob } from "./test-job.ts";

vi.mock(import("../api/jobs.ts"), () => ({
  readJob: vi.fn<typeof readJob>(),
  readJobColumns: vi.fn<typeof readJobColumns>(),
}));

const job = testJob({ status: "Queued", queue_position: 2 });
const { input_videos: _videos, rows: _rows, custom_captions: _captions, custom_audio_links: _links, ...light } = job;
let client: QueryClient;

beforeEach(() => {
  vi.resetAllMocks();
  client = new QueryClient();
});

test("reads the lists of a job known only from a live update, and keeps the update", async () => {
  const update: Job = { ...light, status: "Processing", updated_at: "2026-11-20T22:00:00.000Z" };
  client.setQueryData<Job>(jobKeys.job(job.id), update);
  vi.mocked(readJob).mockResolvedValue(job);
  expect(await readWholeJob(client, job.id)).toEqual({ ...job, ...update });
});

test("does not read cached lists again", async () => {
  client.setQueryData<Job>(jobKeys.job(job.id), job);
  vi.mocked(readJobColumns).mockResolvedValue({ ...light, queue_position: 1 } as WholeJob);
  expect(await readWholeJob(client, job.id)).toEqual({ ...job, queue_position: 1 });
  expect(vi.mocked(readJobColumns).mock.calls).toEqual([[job.id, Object.keys(light)]]);
  expect(readJob).not.toHaveBeenCalled();
});

test("reads the whole job when the server lacks one of its columns", async () => {
  client.setQueryData<Job>(jobKeys.job(job.id), job);
  vi.mocked(readJobColumns).mockRejectedValue(new CallError(400, "column jobs.old does not exist"));
  vi.mocked(readJob).mockResolvedValue({ ...job, queue_position: 1 });
  expect(await readWholeJob(client, job.id)).toEqual({ ...job, queue_position: 1 });
});
