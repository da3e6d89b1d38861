import { z } from "zod";
import { component, named } from "../component.ts";
import { DESTINATION_KINDS } from "./destinations.ts";

export const DeliveryStatus = named(
  "DeliveryStatus",
  z.enum(["Queued", "Processing", "Completed", "Failed", "Cancelled"]),
);
export type DeliveryStatus = z.infer<typeof DeliveryStatus>;

export const DeliveryFileState = named("DeliveryFileState", z.enum(["Waiting", "Delivered", "Failed"]));
export type DeliveryFileState = z.infer<typeof DeliveryFileState>;

/** Statuses in which the job's files are needed. */
export const OPEN_DELIVERY = ["Queued", "Processing"] as const satisfies readonly DeliveryStatus[];

export function isOpenDelivery(status: DeliveryStatus): boolean {
  return (OPEN_DELIVERY as readonly DeliveryStatus[]).includes(status);
}

export const DeliveryProblem = component("DeliveryProblem", "Files that failed for the same reason.", () => ({
  error_message: z.string(),
  files: z.number(),
  name: z.string(),
}));
export type DeliveryProblem = z.infer<typeof DeliveryProblem>;

export const Delivery = component("Delivery", () => ({
  id: z.string(),
  job_id: z.string(),
  destination_id: z.string().nullable().describe("Null if the destination was removed."),
  destination_name: z.string(),
  kind: z.enum(DESTINATION_KINDS),
  status: DeliveryStatus,
  folder: z.string().nullable().describe("Includes the job's name; null until the first attempt."),
  files: z.number().describe("Excludes manifests."),
  delivered: z.number(),
  failed: z.number(),
  error_message: z.string().nullable(),
  problems: z.array(DeliveryProblem).describe("Only the first reasons."),
  waiting_since: z.string().nullable().describe("Set while the destination does not respond."),
  created_at: z.string(),
  updated_at: z.string(),
  ended_at: z.string().nullable(),
}));
export type Delivery = z.infer<typeof Delivery>;

export const DeliveryFile = component("DeliveryFile", () => ({
  id: z.string(),
  output_id: z.string().nullable().describe("Null for a manifest."),
  name: z.string(),
  target_path: z.string().nullable().describe("Below the destination's place; null until the first attempt."),
  state: DeliveryFileState,
  attempts: z.number(),
  size_bytes: z.number().nullable(),
  sha256: z.string().nullable(),
  error_message: z.string().nullable(),
  updated_at: z.string(),
}));
export type DeliveryFile = z.infer<typeof DeliveryFile>;

export const DeliveriesResponse = component("DeliveriesResponse", () => ({ data: z.array(Delivery) }));
export type DeliveriesResponse = z.infer<typeof DeliveriesResponse>;

export const DeliveryResponse = component("DeliveryResponse", () => ({ data: Delivery }));
export type DeliveryResponse = z.infer<typeof DeliveryResponse>;

export const DeliveryFilesResponse = component("DeliveryFilesResponse", () => ({ data: z.array(DeliveryFile) }));
export type DeliveryFilesResponse = z.infer<typeof DeliveryFilesResponse>;
