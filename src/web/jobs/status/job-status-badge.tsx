import { CirclePause, TriangleAlert } from "lucide-react";
import type { Job } from "#contract/jobs/jobs.ts";
import { StatusBadge } from "../../ui/states/status-badge.tsx";
import { isOnHold } from "../order/order-in-queue.ts";
import { statusLook } from "./status-look.ts";
import { statusLabel } from "./status-label.ts";

function isPartlyFailed({ status, failed_videos: failed }: Pick<Job, "status" | "failed_videos">): boolean {
  return status === "Completed" && failed !== null && failed > 0;
}

/** Includes the queue position or the hold, the wait for approval, and failures of a completed job. */
export function JobStatusBadge({
  job,
  isInline,
}: {
  job: Pick<Job, "status" | "queue_position" | "held_at" | "awaiting_approval" | "failed_videos">;
  isInline?: boolean;
}) {
  if (job.status === "Queued" && isOnHold(job)) {
    return <StatusBadge tone="queued" icon={CirclePause} label="On hold" isInline={isInline ?? false} />;
  }
  if (job.awaiting_approval && job.status === "Processing") {
    return <StatusBadge tone="warning" icon={CirclePause} label="Needs approval" isInline={isInline ?? false} />;
  }
  if (isPartlyFailed(job)) {
    return (
      <span className="inline-flex flex-wrap items-center gap-x-2">
        <StatusBadge tone="warning" icon={TriangleAlert} label={statusLabel(job)} isInline={isInline ?? false} />
        <span className="text-12 font-medium whitespace-nowrap text-warning">Partly failed</span>
      </span>
    );
  }
  return <StatusBadge {...statusLook(job.status)} label={statusLabel(job)} isInline={isInline ?? false} />;
}
