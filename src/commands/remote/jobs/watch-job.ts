import { setTimeout as delay } from "node:timers/promises";
import { isFinal, type Job, jobTitle } from "#contract/jobs/jobs.ts";
import { pageOf, readJob } from "#client/calls.ts";
import { EXIT, type ExitCode } from "../exit-codes.ts";
import type { Session } from "../session.ts";

const FIRST_POLL_MS = 500;
const SLOWEST_POLL_MS = 3_000;

/** Returns the job when it ends or awaits approval. */
export async function watchJob(session: Session, jobId: string): Promise<Job> {
  const { api, terminal } = session;
  session.whenStopped(`Stopped. The job keeps running: \`clipmill jobs watch ${jobId}\` follows it.`);
  let last = "";
  for (let pollMs = FIRST_POLL_MS; ; pollMs = Math.min(pollMs * 1.2, SLOWEST_POLL_MS)) {
    const job = await readJob(api, jobId);
    const event = toEvent(job);
    const text = JSON.stringify(event);
    if (text !== last) terminal.event({ event: "progress", ...event });
    last = text;
    if (isFinal(job.status) || job.awaiting_approval) {
      terminal.clear();
      return job;
    }
    terminal.progress({ label: labelOf(job), share: job.progress / 100, detail: detailOf(job) });
    await delay(pollMs, undefined, { signal: api.signal }).catch(() => api.signal.throwIfAborted());
  }
}

export function reportEnd({ api, terminal }: Session, job: Job): ExitCode {
  const code = exitCodeOfJob(job);
  const { id, status, error_message: error } = job;
  terminal.event({ event: "end", id, status, error, awaiting_approval: job.awaiting_approval, exit: code });
  const name = `"${jobTitle(job)}"`;
  if (job.awaiting_approval) {
    terminal.note(`${name} is waiting for approval. Review its samples at ${pageOf(api.server, id)}`);
  } else if (status === "Completed" && error === null) {
    terminal.note(`${name} is completed.`);
  } else {
    const hint = status === "Cancelled" ? "" : ` \`clipmill jobs retry ${id}\` retries the failed videos.`;
    terminal.note(
      `${name} ${status === "Completed" ? "ended with failures" : `is ${status.toLowerCase()}`}: ${error ?? ""}${hint}`,
    );
  }
  return code;
}

function exitCodeOfJob({ status, error_message: error, awaiting_approval: isWaiting }: Job): ExitCode {
  if (isWaiting) return EXIT.awaitsApproval;
  return status === "Completed" && error === null ? EXIT.ok : EXIT.jobFailed;
}

function toEvent({ id, status, progress, current_video, total_videos, failed_videos, seconds_left }: Job) {
  return { id, status, progress, current_video, total_videos, failed_videos, seconds_left };
}

function labelOf({ status, held_at: heldAt }: Job): string {
  if (heldAt !== null) return "On hold";
  return { Queued: "Queued", Processing: "Rendering", Cancelling: "Canceling" }[status as string] ?? status;
}

function detailOf(job: Job): string {
  if (job.status === "Queued") return job.queue_position === null ? "" : `position ${job.queue_position} in the queue`;
  const videos = `${Math.max(0, (job.current_video ?? 1) - 1)} of ${job.total_videos} videos`;
  const failed = job.failed_videos ? `, ${job.failed_videos} failed` : "";
  return `${videos}${failed}${job.seconds_left === null ? "" : `, ${timeLeft(job.seconds_left)} left`}`;
}

function timeLeft(seconds: number): string {
  return seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`;
}
