/** Deliveries: a job's files on their way to a destination (function deliveries). */
import type { DestinationKind } from "./destinations.ts";

/** Of a delivery. */
export type DeliveryStatus = "Queued" | "Processing" | "Completed" | "Failed" | "Cancelled";
/** Of a delivered file. */
export type DeliveryFileState = "Waiting" | "Delivered" | "Failed";

/** The statuses in which a delivery still needs the job's files. */
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
  /** With the job's name filled in; null until the first attempt. */
  folder: string | null;
  /** Without the manifests. */
  files: number;
  delivered: number;
  failed: number;
  /** Why it failed or waits. */
  error_message: string | null;
  /** The first reasons why files failed. */
  problems: DeliveryProblem[];
  /** When it waits because the destination did not respond. */
  waiting_since: string | null;
  created_at: string;
  updated_at: string;
  ended_at: string | null;
};

export type DeliveryFile = {
  id: string;
  /** Null for a manifest. */
  output_id: string | null;
  /** The name in the job. */
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

/** Responses of the function deliveries. */
export type DeliveriesResponse = { data: Delivery[] };
export type DeliveryResponse = { data: Delivery };
export type DeliveryFilesResponse = { data: DeliveryFile[] };
