/** The calls about jobs, by name and type. All of them throw CallError. */
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

/** One page of the job history. */
export function listJobs(request: ListJobsRequest, signal?: AbortSignal): Promise<ListJobsResponse> {
  return callFunction("jobs", { ...request, action: "list" }, { signal });
}

/** The newest jobs and the figures of the stat cards; "today" begins at `since`. */
export function loadDashboard(since: Date, signal?: AbortSignal): Promise<DashboardResponse> {
  const query = new URLSearchParams({ action: "dashboard", since: since.toISOString() });
  return callFunction(`jobs?${query}`, undefined, { method: "GET", signal });
}

export async function createJob(request: CreateJobRequest): Promise<WholeJob> {
  const { data } = await callFunction<CreateJobResponse>("jobs", request);
  return data;
}

/** Asks for a job to be cancelled. A refusal for a reason of business is an answer, not an error. */
export function cancelJob(jobId: string): Promise<CancelJobResponse> {
  return callFunction("vps-integration/cancel", { jobId });
}

/** Has what failed in an ended job tried again. */
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

/** Has the waiting videos of a job come next. */
export function bumpJob(jobId: string): Promise<WholeJob> {
  return changeOrder(jobId, "bump");
}

/** Has none of a job's waiting videos begun until it is released. */
export function holdJob(jobId: string): Promise<WholeJob> {
  return changeOrder(jobId, "hold");
}

/** Lets a job on hold go on. */
export function releaseJob(jobId: string): Promise<WholeJob> {
  return changeOrder(jobId, "release");
}

async function changeOrder(jobId: string, action: string): Promise<WholeJob> {
  const { data } = await callFunction<JobResponse>("jobs", { action, jobId });
  return data;
}

/** Deletes ended jobs with their files; those that still run are refused one by one. */
export function deleteJobs(jobIds: readonly string[]): Promise<DeleteJobsResponse> {
  return callFunction("jobs", { action: "delete", jobIds });
}

/** What happened to a job and its videos, oldest first. */
export async function readJobEvents(jobId: string): Promise<JobEvent[]> {
  const { data } = await callFunction<JobEventsResponse>("jobs", { action: "events", jobId });
  return data;
}

/** One job with all its lists. */
export async function readJob(id: string): Promise<WholeJob> {
  const tables = await openTables();
  return requireRows(await tables.from("jobs").select("*").eq("id", id).single()) as WholeJob;
}

/** Some columns of one job. */
export async function readJobColumns<Column extends keyof WholeJob>(
  id: string,
  columns: readonly Column[],
): Promise<Pick<WholeJob, Column>> {
  const tables = await openTables();
  const answer = await tables.from("jobs").select<string>(columns.join(",")).eq("id", id).single();
  return requireRows(answer) as Pick<WholeJob, Column>;
}

/** The videos of a job in their order. */
export async function readJobVideos(jobId: string): Promise<JobVideo[]> {
  const tables = await openTables();
  const answer = await tables.from("job_videos").select("*").eq("job_id", jobId).order("position");
  return requireRows(answer) as JobVideo[];
}

/** The files of a job, by variant, then segment. */
export async function readJobOutputs(jobId: string): Promise<JobOutput[]> {
  const tables = await openTables();
  const answer = await tables.from("job_outputs").select("*").eq("job_id", jobId).order("variant").order("segment");
  return requireRows(answer) as JobOutput[];
}

/** The files of Clipmill's own library. */
export function listLibrary(): Promise<LibraryResponse> {
  return callFunction("library", { method: "GET" });
}
