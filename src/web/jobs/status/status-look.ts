import { Ban, CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import type { JobStatus } from "#contract/jobs/jobs.ts";
import type { LucideIcon } from "../../ui/page/icon.tsx";
import type { StatusTone } from "../../ui/states/status-badge.tsx";

type StatusLook = { tone: StatusTone; icon: LucideIcon | "spinner" };

const QUEUED: StatusLook = { tone: "queued", icon: CircleDashed };

const LOOKS: Record<JobStatus, StatusLook> = {
  Queued: QUEUED,
  Processing: { tone: "processing", icon: "spinner" },
  Cancelling: { tone: "cancelling", icon: "spinner" },
  Completed: { tone: "completed", icon: CircleCheck },
  Failed: { tone: "failed", icon: CircleAlert },
  Cancelled: { tone: "cancelled", icon: Ban },
};

/** Shows unknown statuses as Queued. */
export function statusLook(status: string): StatusLook {
  return Object.hasOwn(LOOKS, status) ? LOOKS[status as JobStatus] : QUEUED;
}
