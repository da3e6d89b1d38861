import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { isFinal, type Job, type JobStatus, jobTitle } from "#contract/jobs/jobs.ts";
import { listJobs, readJobColumns } from "../../api/jobs.ts";
import { paths } from "../../app/routing/paths.ts";
import { cutText } from "../row/cut-text.ts";
import { notify, useNotificationState } from "./notifications.ts";
import { useLiveRows } from "../cache/use-live-rows.ts";

const MAX_WATCHED = "100";
const BODY_CHARACTERS = 200;
const WATCHED_COLUMNS = ["id", "job_name", "status", "error_message", "proof_state"] as const;
type WatchedJob = Pick<Job, (typeof WATCHED_COLUMNS)[number]>;

/** Notifies on any screen when a job ends or needs approval. Mount once. */
export function JobNotifications() {
  return useNotificationState() === "on" ? <Watcher /> : null;
}

function Watcher() {
  const navigate = useNavigate();
  const [running] = useState(() => new Map<string, JobStatus>());
  const [sampling] = useState(() => new Set<string>());

  function handleJob(job: WatchedJob) {
    if (job.proof_state === "making") sampling.add(job.id);
    else if (sampling.delete(job.id) && job.proof_state === "waiting") show(job, "needs approval");
    if (!isFinal(job.status)) running.set(job.id, job.status);
    else if (running.delete(job.id) && job.status !== "Cancelled") {
      show(job, job.status === "Failed" ? "failed" : "completed");
    }
  }
  function show(job: WatchedJob, what: string) {
    notify(`${jobTitle(job)} ${what}`, {
      body: cutText(job.error_message ?? "", BODY_CHARACTERS),
      tag: `${job.id} ${what}`,
      onClick: () => void navigate({ to: paths.job, params: { jobId: job.id } }),
    });
  }
  async function catchUp() {
    const known = await Promise.all(
      [...running.keys()].map((id) => readJobColumns(id, WATCHED_COLUMNS).catch(() => null)),
    );
    for (const job of known) if (job) handleJob(job);
    const lists = await Promise.all(
      (["Processing", "Queued"] as const).map((status) => listJobs({ page: "1", limit: MAX_WATCHED, status })),
    );
    for (const { jobs } of lists) jobs.forEach(handleJob);
  }
  useLiveRows<Job>({
    channel: "job_notifications",
    table: "jobs",
    onChange: (change) => change.type !== "DELETE" && handleJob(change.row),
    onSubscribed: () => void catchUp().catch(() => undefined),
  });
  return null;
}
