/** Calls for workers and the queue. All throw CallError. */
import type { SystemAction } from "#contract/settings/system-action.ts";
import type { ClaimingResponse, SystemResponse } from "#contract/settings/system.ts";
import { callFunction } from "./call-function.ts";

/** Query cache keys: for the System card, and for whether the queue is being claimed, which other screens show. */
export const systemKeys = { all: ["system"], card: ["system", "card"], claiming: ["system", "claiming"] } as const;

export function loadSystem(signal?: AbortSignal): Promise<SystemResponse> {
  return callFunction("system", undefined, { method: "GET", signal });
}

/** Returns whether any worker claims from the queue. */
export function loadClaiming(signal?: AbortSignal): Promise<ClaimingResponse> {
  return callFunction("system?part=claiming", undefined, { method: "GET", signal });
}

/** Sends an action to a worker or the queue and returns the resulting state. */
export function steerSystem(action: SystemAction): Promise<SystemResponse> {
  return callFunction("system", action);
}
