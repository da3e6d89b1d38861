import type { DestinationKind } from "./destinations.ts";

export type DeliveryStatus = "Queued" | "Processing" | "Completed" | "Failed" | "Cancelled";
export type DeliveryFileState = "Waiting" | "Delivered" | "Failed";

/** Statuses in which the job's files are needed. */
export const OPEN_DELIVERY = ["Queued", "Processing"] as const satisfies readonly DeliveryStatus[];

export function isOpenDelivery(status: DeliveryStatus): boolean {
  return (OPEN_DELIVERY as readonly DeliveryStatus[]).includes(status);
}

/** Files that failed for the same reason. */
export type DeliveryProblem = { error_message: string; files: number; name: string };

export type Delivery = {
  id: string;
  job_id: string;
  /** Null if the destination was removed. */
  destination_id: string | null;
  destination_name: string;
  kind: DestinationKind;
  status: DeliveryStatus;
  /** Includes the job's name; null until the first attempt. */
  folder: string | null;
  /** Excludes manifests. */
  files: number;
  delivered: number;
  failed: number;
  error_message: string | null;
  /** Only the first reasons. */
  problems: DeliveryProblem[];
  /** Set while the destination does not respond. */
  waiting_since: string | null;
  created_at: string;
  updated_at: string;
  ended_at: string | null;
};

export type DeliveryFile = {
  id: string;
  /** Null for a manifest. */
  output_id: string | null;
  name: string;
  /** Below the destination's place; null until the first attempt. */
  target_path: string | null;
  state: DeliveryFileState;
  attempts: number;
  size_bytes: number | null;
  sha256: string | null;
  error_message: string | null;
  updated_at: string;
};

export type DeliveriesResponse = { data: Delivery[] };
export type DeliveryResponse = { data: Delivery };
export type DeliveryFilesResponse = { data: DeliveryFile[] };
