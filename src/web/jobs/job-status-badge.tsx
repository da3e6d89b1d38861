import type { Job } from "#contract/jobs.ts";
import { StatusBadge } from "../ui/status-badge.tsx";
import { statusLook } from "./status-look.ts";
import { statusLabel } from "./status-label.ts";

/** A job's status; Queued says its place in the queue. */
export function JobStatusBadge({ job, isInline }: { job: Pick<Job, "status" | "queue_position">; isInline?: boolean }) {
  return <StatusBadge {...statusLook(job.status)} label={statusLabel(job)} isInline={isInline ?? false} />;
}
