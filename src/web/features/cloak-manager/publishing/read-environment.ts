import type { CheckMarker, EnvironmentCheck } from "#contract/cloak/cloak.ts";
import { checkEnvironment } from "../../../api/functions/cloak.ts";
import { CallError } from "../../../api/functions/call-error.ts";

const MARKER_WORDS: Record<CheckMarker, string> = {
  VALIDATION_FAILED: "The check failed.",
  CONNECTION_FAILED: "Couldn't reach the server.",
  VALIDATION_ERROR: "The check returned an unexpected response.",
};

/** Returns a failed check with a marker if there is no result. Throws only when aborted. */
export async function readEnvironment(signal: AbortSignal): Promise<EnvironmentCheck> {
  try {
    const response = await checkEnvironment(signal);
    return isCheck(response) ? response : failedCheck("VALIDATION_ERROR");
  } catch (error) {
    if (signal.aborted) throw error;
    return failedCheck(markerOf(error), error instanceof CallError && error.status >= 400 ? error.message : undefined);
  }
}

function markerOf(error: unknown): CheckMarker {
  if (!(error instanceof CallError)) return "VALIDATION_ERROR";
  if (error.status === 0) return "CONNECTION_FAILED";
  return error.status >= 400 ? "VALIDATION_FAILED" : "VALIDATION_ERROR";
}

function failedCheck(marker: CheckMarker, reason = ""): EnvironmentCheck {
  const error = reason ? `${MARKER_WORDS[marker]} ${reason}` : MARKER_WORDS[marker];
  return { isValid: false, missing: [marker], wrongUrl: false, expectedUrl: null, error };
}

function isCheck(response: unknown): response is EnvironmentCheck {
  if (typeof response !== "object" || response === null) return false;
  const { isValid, missing } = response as Partial<EnvironmentCheck>;
  return typeof isValid === "boolean" && Array.isArray(missing) && missing.every((name) => typeof name === "string");
}
