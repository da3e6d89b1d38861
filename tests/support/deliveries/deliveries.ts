import { readdir } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { type Delivery, isOpenDelivery } from "#contract/destinations/deliveries.ts";
import type { Destination } from "#contract/destinations/destinations.ts";
import { sha256OfFile } from "#ground/checksum.ts";
import type { ActorContext } from "#operations/audit/write-audit.ts";
import type { Context } from "#operations/context.ts";
import { listDeliveries } from "#operations/deliveries/list-deliveries.ts";
import { addDestination } from "#operations/destinations/change-destination.ts";

type Deliverer = Context & ActorContext;

let added = 0;

/** Uses the folder that every installation has, by default. */
export function addTestDestination(context: Deliverer, fields: Partial<Destination> = {}): Promise<Destination> {
  added += 1;
  return addDestination(context, { kind: "folder", place: "deliveries", name: `Destination ${added}`, ...fields });
}

/** Waits for all deliveries and returns the first. */
export async function delivered(context: Deliverer, jobId: string): Promise<Delivery> {
  let deliveries: Delivery[] = [];
  await expect
    .poll(
      async () => {
        deliveries = await listDeliveries(context, jobId);
        return deliveries.length > 0 && deliveries.every(({ status }) => !isOpenDelivery(status));
      },
      { timeout: 50_000, interval: 50 },
    )
    .toBe(true);
  return deliveries[0]!;
}

/** Reads names alone, so files may disappear meanwhile. */
export async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
}

export async function checksumsBelow(folder: string): Promise<Record<string, string>> {
  const files = await filesBelow(folder);
  const sums = await Promise.all(
    files.map(async (file) => [path.relative(folder, file), await sha256OfFile(file)] as const),
  );
  return Object.fromEntries(sums.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
