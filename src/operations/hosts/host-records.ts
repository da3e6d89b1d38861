import type { HostName } from "#contract/sources/cooldowns.ts";
import type { Context } from "../context.ts";
import { type Cooldown, readHostRecord } from "./find-cooldown.ts";
import { recordHostFailure, recordHostResponse, releaseProbe } from "./record-host-failure.ts";

type HostFailure = { host: HostName; reason: string; retryAfterSeconds: number | null };

/** The state of hosts that all workers share, for one task. */
export type HostRecords = {
  /** The database's clock, which all workers share. In Unix milliseconds. */
  readNow(): Promise<number>;
  readHost(host: HostName): Promise<{ hasFailed: boolean; cooldown: Cooldown | null }>;
  recordHostResponse(host: HostName): Promise<void>;
  releaseProbe(host: HostName): Promise<void>;
  /** Returns the cooldown, or null. */
  recordHostFailure(failure: HostFailure): Promise<Cooldown | null>;
};

export function createHostRecords(
  { context, readNow }: { context: Pick<Context, "db" | "queue">; readNow: () => Promise<number> },
  taskId: string,
): HostRecords {
  return {
    readNow,
    readHost: (host) => readHostRecord(context, host, taskId),
    recordHostResponse: (host) => recordHostResponse(context, host, taskId),
    releaseProbe: (host) => releaseProbe(context, host, taskId),
    recordHostFailure: async (failure) => recordHostFailure(context, { ...failure, taskId }, await readNow()),
  };
}
