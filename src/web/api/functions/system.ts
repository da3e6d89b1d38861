/** The calls about workers and the queue, by name and type. All of them throw CallError. */
import type { SystemAction } from "#contract/settings/system-action.ts";
import type { ClaimingResponse, SystemResponse } from "#contract/settings/system.ts";
import { callFunction } from "./call-function.ts";

/** Where they are kept in the cache: what the System card shows, and the little that other screens do. */
export const systemKeys = { all: ["system"], card: ["system", "card"], claiming: ["system", "claiming"] } as const;

export function loadSystem(signal?: AbortSignal): Promise<SystemResponse> {
  return callFunction("system", undefined, { method: "GET", signal });
}

/** Whether anybody takes what waits. */
export function loadClaiming(signal?: AbortSignal): Promise<ClaimingResponse> {
  return callFunction("system?part=claiming", undefined, { method: "GET", signal });
}

/** Tells a worker or the queue what to do, and answers how things stand then. */
export function steerSystem(action: SystemAction): Promise<SystemResponse> {
  return callFunction("system", action);
}
