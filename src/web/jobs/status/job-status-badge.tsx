import { CirclePause } from "lucide-react";
import type { Job } from "#contract/jobs/jobs.ts";
import { StatusBadge } from "../../ui/states/status-badge.tsx";
import { isOnHold } from "../order/order-in-queue.ts";
import { statusLook } from "./status-look.ts";
import { statusLabel } from "./status-label.ts";

/** Queued includes the queue position or the hold; Processing includes the wait for approval. */
export function JobStatusBadge({
  job,
  isInline,
}: {
  job: Pick<Job, "status" | "queue_position" | "held_at" | "awaiting_approval">;
  isInline?: boolean;
}) {
  if (job.status === "Queued" && isOnHold(job)) {
    return <StatusBadge tone="queued" icon={CirclePause} label="On hold" isInline={isInline ?? false} />;
  }
  if (job.awaiting_approval && job.status === "Processing") {
    return <StatusBadge tone="warning" icon={CirclePause} label="Needs approval" isInline={isInline ?? false} />;
  }
  return <StatusBadge {...statusLook(job.status)} label={statusLabel(job)} isInline={isInline ?? false} />;
}
