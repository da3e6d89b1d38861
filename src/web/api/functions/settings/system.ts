/** All calls throw CallError. */
import type { SystemAction } from "#contract/settings/system-action.ts";
import type { ClaimingResponse, SystemResponse } from "#contract/settings/system.ts";
import { callFunction } from "../call-function.ts";

/** `card` is the System card; `claiming` is shown on other screens too. */
export const systemKeys = { all: ["system"], card: ["system", "card"], claiming: ["system", "claiming"] } as const;

/** Returns all workers with their tasks, the queue, and the resting hosts. */
export function loadSystem(signal?: AbortSignal): Promise<SystemResponse> {
  return callFunction("system", undefined, { method: "GET", signal });
}

/** Returns whether any worker claims videos. Costs the server little, for polling. */
export function loadClaiming(signal?: AbortSignal): Promise<ClaimingResponse> {
  return callFunction("system?part=claiming", undefined, { method: "GET", signal });
}

/** Returns the state after the action. */
export function steerSystem(action: SystemAction): Promise<SystemResponse> {
  return callFunction("system", action);
}
