/** All calls throw CallError. */
import type { SystemAction } from "#contract/settings/system-action.ts";
import type { ClaimingResponse, SystemResponse } from "#contract/settings/system.ts";
import { callFunction } from "../call-function.ts";

export const systemKeys = { all: ["system"], card: ["system", "card"], claiming: ["system", "claiming"] } as const;

export function loadSystem(signal?: AbortSignal): Promise<SystemResponse> {
  return callFunction("system", undefined, { method: "GET", signal });
}

/** Cheap enough for polling. */
export function loadClaiming(signal?: AbortSignal): Promise<ClaimingResponse> {
  return callFunction("system?part=claiming", undefined, { method: "GET", signal });
}

export function steerSystem(action: SystemAction): Promise<SystemResponse> {
  return callFunction("system", action);
}
