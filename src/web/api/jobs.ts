/** All calls throw CallError. */
import type {
  CancelJobResponse,
  CreateJobResponse,
  DashboardResponse,
  DeleteJobsResponse,
  JobEventsResponse,
  LibraryResponse,
  ListJobsRequest,
  ListJobsResponse,
  JobResponse,
  MeasuredWorkResponse,
  RetryNowResponse,
} from "#contract/calls.ts";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import type { JobOutput, JobVideo, WholeJob } from "#contract/jobs/jobs.ts";
import { callFunction } from "./functions/call-function.ts";
import { openTables, requireRows } from "./tables.ts";

/** Lists the newest first. `limit` is at most 100. */
export function listJobs(request: ListJobsRequest, signal?: AbortSignal): Promise<ListJobsResponse> {
  return callFunction("jobs", { ...request, action: "list" }, { signal });
}

/** "Today" starts at `since`. */
export function loadDashboard(since: Date, signal?: AbortSignal): Promise<DashboardResponse> {
  const query = new URLSearchParams({ action: "dashboard", since: since.toISOString() });
  return callFunction(`jobs?${query}`, undefined, { method: "GET", signal });
}

/** Returns null without a completed job to measure. */
export async function readMeasuredWork(signal: AbortSignal): Promise<MeasuredWorkResponse["data"]> {
  return (await callFunction<MeasuredWorkResponse>("jobs", { action: "measured-work" }, { signal })).data;
}

/** Not idempotent: sends no idempotency key. See `jobCreator`. */
export async function createJob(request: CreateJobRequest): Promise<WholeJob> {
  const { data } = await callFunction<CreateJobResponse>("jobs", request);
  return data;
}

/** Returns expected rejections instead of throwing. */
export function cancelJob(jobId: string): Promise<CancelJobResponse> {
  return callFunction("vps-integration/cancel", { jobId });
}

export async function retryJob(jobId: string): Promise<WholeJob> {
  const { data } = await callFunction<JobResponse>("jobs", { action: "retry", jobId });
  return data;
}

/** One video, all with one reason, or all that wait or failed. */
export type RetryNowRequest = { jobId: string; videoId?: string; reason?: string };

/** Also requeues failed videos. Returns rejections instead of throwing. */
export function retryNow(request: RetryNowRequest): Promise<RetryNowResponse> {
  return callFunction("jobs", { action: "retry-now", ...request });
}

export function bumpJob(jobId: string): Promise<WholeJob> {
  return changeOrder(jobId, "bump");
}

/** Keeps waiting videos from starting until `releaseJob`. */
export function holdJob(jobId: string): Promise<WholeJob> {
  return changeOrder(jobId, "hold");
}

/** Requeues the waiting videos as if the job arrived now, or first if it was bumped. */
export function releaseJob(jobId: string): Promise<WholeJob> {
  return changeOrder(jobId, "release");
}

async function changeOrder(jobId: string, action: string): Promise<WholeJob> {
  const { data } = await callFunction<JobResponse>("jobs", { action, jobId });
  return data;
}

/** Also deletes the files. Rejects running jobs, one by one. */
export async function deleteJobs(jobIds: readonly string[]): Promise<DeleteJobsResponse> {
  const most = JOB_LIMITS.deletedAtOnce;
  const result: DeleteJobsResponse = { deleted: [], refused: [] };
  for (let start = 0; start < jobIds.length; start += most) {
    const request = { action: "delete", jobIds: jobIds.slice(start, start + most) };
    const { deleted, refused } = await callFunction<DeleteJobsResponse>("jobs", request);
    result.deleted.push(...deleted);
    result.refused.push(...refused);
  }
  return result;
}

/** Includes the videos' events; oldest first. Reads the newest `limit`, or all. */
export function readJobEvents(jobId: string, limit?: number): Promise<JobEventsResponse> {
  return callFunction("jobs", { action: "events", jobId, limit });
}

/** Includes the long lists. */
export async function readJob(jobId: string): Promise<WholeJob> {
  const tables = await openTables();
  return requireRows(await tables.from("jobs").select("*").eq("id", jobId).single()) as WholeJob;
}

/** Throws a 406 for a missing job and a 400 for a column the server lacks. */
export async function readJobColumns<Column extends keyof WholeJob>(
  jobId: string,
  columns: readonly Column[],
): Promise<Pick<WholeJob, Column>> {
  const tables = await openTables();
  const response = await tables.from("jobs").select<string>(columns.join(",")).eq("id", jobId).single();
  return requireRows(response) as Pick<WholeJob, Column>;
}

/** Parsing 10,000 rows at once would block the page. The server returns at most 10,000. */
const PAGE_ROWS = 1_500;

async function readPages<Row>(readPage: (last: Row | undefined) => Promise<Row[]>): Promise<Row[]> {
  const rows: Row[] = [];
  for (;;) {
    const page = await readPage(rows.at(-1));
    rows.push(...page);
    if (page.length < PAGE_ROWS) return rows;
  }
}

/** In job order. */
export async function readJobVideos(jobId: string): Promise<JobVideo[]> {
  const tables = await openTables();
  return readPages<JobVideo>(async (last) => {
    const page = tables.from("job_videos").select("*").eq("job_id", jobId).order("position").limit(PAGE_ROWS);
    return requireRows(await (last ? page.gt("position", last.position) : page)) as JobVideo[];
  });
}

/** By the video's id. */
export async function readVideoPositions(jobId: string): Promise<ReadonlyMap<string, number>> {
  const tables = await openTables();
  const response = await tables.from("job_videos").select("id,position").eq("job_id", jobId);
  const videos = requireRows(response) as Pick<JobVideo, "id" | "position">[];
  return new Map(videos.map(({ id, position }) => [id, position]));
}

/** The clips of assembled videos, by the video's id. */
export async function readClipsOfVideos(jobId: string): Promise<ReadonlyMap<string, readonly number[]>> {
  const tables = await openTables();
  const response = await tables.from("job_videos").select("id,clips").eq("job_id", jobId);
  const videos = requireRows(response) as Pick<JobVideo, "id" | "clips">[];
  return new Map(videos.flatMap(({ id, clips }) => (clips ? [[id, clips]] : [])));
}

/** Pages by id, so that a file added meanwhile hides no other. */
export async function readJobOutputs(jobId: string): Promise<JobOutput[]> {
  const tables = await openTables();
  return readPages<JobOutput>(async (last) => {
    const page = tables.from("job_outputs").select("*").eq("job_id", jobId).order("id").limit(PAGE_ROWS);
    return requireRows(await (last ? page.gt("id", last.id) : page)) as JobOutput[];
  });
}

/** Lists samples and uploads, oldest first. */
export function listLibrary(): Promise<LibraryResponse> {
  return callFunction("library", { method: "GET" });
}
