import type { Delivery, DeliveryStatus } from "#contract/destinations/deliveries.ts";
import type { StatusTone } from "../../../ui/states/status-badge.tsx";
import { formatCount, pluralize } from "../../../jobs/row/pluralize.ts";

export const DELIVERY_TONES: Record<DeliveryStatus, StatusTone> = {
  Queued: "queued",
  Processing: "processing",
  Completed: "completed",
  Failed: "failed",
  Cancelled: "cancelled",
};

/** Returns, for example, "48 of 100 delivered". */
export function describeProgress({
  status,
  files,
  delivered,
}: Pick<Delivery, "status" | "files" | "delivered">): string {
  if (status === "Completed") return `${pluralize(files, "file")} delivered`;
  return `${formatCount(delivered)} of ${formatCount(files)} delivered`;
}

/** Explains why a delivery failed or waits, and for which files. */
export function listReasons({ status, error_message: message, problems }: Delivery): string[] {
  const reasons = problems.map(({ files, name, error_message: reason }) =>
    files === 1 ? `${name}: ${reason}` : `${pluralize(files, "file")}: ${reason}`,
  );
  if (message === null) return reasons;
  if (status === "Queued") return [`${message} Waiting to try again.`, ...reasons];
  // The reasons say more than the count of failed files.
  return status === "Failed" && reasons.length > 0 ? reasons : [message, ...reasons];
}
