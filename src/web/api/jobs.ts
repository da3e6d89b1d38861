/** Calls for jobs. All throw CallError. */
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
  RetryNowResponse,
} from "#contract/calls.ts";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { JobEvent, JobOutput, JobVideo, WholeJob } from "#contract/jobs/jobs.ts";
import { callFunction } from "./functions/call-function.ts";
import { openTables, requireRows } from "./tables.ts";

/** Returns one page of the job history. */
export function listJobs(request: ListJobsRequest, signal?: AbortSignal): Promise<ListJobsResponse> {
  return callFunction("jobs", { ...request, action: "list" }, { signal });
}

/** Returns the newest jobs and the figures of the stat cards; "today" starts at `since`. */
export function loadDashboard(since: Date, signal?: AbortSignal): Promise<DashboardResponse> {
  const query = new URLSearchParams({ action: "dashboard", since: since.toISOString() });
  return callFunction(`jobs?${query}`, undefined, { method: "GET", signal });
}

export async function createJob(request: CreateJobRequest): Promise<WholeJob> {
  const { data } = await callFunction<CreateJobResponse>("jobs", request);
  return data;
}

/** Requests a job's cancellation. Returns expected refusals instead of throwing. */
export function cancelJob(jobId: string): Promise<CancelJobResponse> {
  return callFunction("vps-integration/cancel", { jobId });
}

/** Retries the failed videos of an ended job. */
export async function retryJob(jobId: string): Promise<WholeJob> {
  const { data } = await callFunction<JobResponse>("jobs", { action: "retry", jobId });
  return data;
}

/** Selects the videos to retry: one, those with one reason, or all that wait or failed. */
export type RetryNowRequest = { jobId: string; videoId?: string; reason?: string };

/** Retries waiting videos now and queues failed ones again. Returns refusals by the server instead of throwing. */
export function retryNow(request: RetryNowRequest): Promise<RetryNowResponse> {
  return callFunction("jobs", { action: "retry-now", ...request });
}

/** Moves a job's waiting videos to the front of the queue. */
export function bumpJob(jobId: string): Promise<WholeJob> {
  return changeOrder(jobId, "bump");
}

/** Keeps a job's waiting videos from starting until it is released. */
export function holdJob(jobId: string): Promise<WholeJob> {
  return changeOrder(jobId, "hold");
}

/** Releases a job on hold. */
export function releaseJob(jobId: string): Promise<WholeJob> {
  return changeOrder(jobId, "release");
}

async function changeOrder(jobId: string, action: string): Promise<WholeJob> {
  const { data } = await callFunction<JobResponse>("jobs", { action, jobId });
  return data;
}

/** Deletes ended jobs with their files; the server refuses running ones individually. */
export function deleteJobs(jobIds: readonly string[]): Promise<DeleteJobsResponse> {
  return callFunction("jobs", { action: "delete", jobIds });
}

/** Returns the events of a job and its videos, oldest first. */
export async function readJobEvents(jobId: string): Promise<JobEvent[]> {
  const { data } = await callFunction<JobEventsResponse>("jobs", { action: "events", jobId });
  return data;
}

/** Returns one job with all its lists. */
export async function readJob(id: string): Promise<WholeJob> {
  const tables = await openTables();
  return requireRows(await tables.from("jobs").select("*").eq("id", id).single()) as WholeJob;
}

/** Returns the given columns of one job. */
export async function readJobColumns<Column extends keyof WholeJob>(
  id: string,
  columns: readonly Column[],
): Promise<Pick<WholeJob, Column>> {
  const tables = await openTables();
  const response = await tables.from("jobs").select<string>(columns.join(",")).eq("id", id).single();
  return requireRows(response) as Pick<WholeJob, Column>;
}

/** Returns the videos of a job in their order. */
export async function readJobVideos(jobId: string): Promise<JobVideo[]> {
  const tables = await openTables();
  const response = await tables.from("job_videos").select("*").eq("job_id", jobId).order("position");
  return requireRows(response) as JobVideo[];
}

/** Returns a job's outputs, by variant, then segment. */
export async function readJobOutputs(jobId: string): Promise<JobOutput[]> {
  const tables = await openTables();
  const response = await tables.from("job_outputs").select("*").eq("job_id", jobId).order("variant").order("segment");
  return requireRows(response) as JobOutput[];
}

/** Returns the library files. */
export function listLibrary(): Promise<LibraryResponse> {
  return callFunction("library", { method: "GET" });
}
