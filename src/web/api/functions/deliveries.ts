/** All calls throw CallError. */
import type {
  DeliveriesResponse,
  Delivery,
  DeliveryFile,
  DeliveryFilesResponse,
  DeliveryResponse,
} from "#contract/destinations/deliveries.ts";
import { callFunction } from "./call-function.ts";

export async function listDeliveries(jobId: string, signal?: AbortSignal): Promise<Delivery[]> {
  return (await callFunction<DeliveriesResponse>("deliveries", { method: "GET", job_id: jobId }, { signal })).data;
}

export async function listDeliveryFiles(id: string, signal?: AbortSignal): Promise<DeliveryFile[]> {
  return (await callFunction<DeliveryFilesResponse>("deliveries", { method: "GET", id }, { signal })).data;
}

/** Returns the delivery already in progress, if any. */
export async function deliverJob(jobId: string, destinationId: string): Promise<Delivery> {
  const body = { job_id: jobId, destination_id: destinationId };
  return (await callFunction<DeliveryResponse>("deliveries", body)).data;
}

export async function changeDelivery(id: string, action: "retry" | "cancel"): Promise<Delivery> {
  return (await callFunction<DeliveryResponse>("deliveries", { id, action })).data;
}
