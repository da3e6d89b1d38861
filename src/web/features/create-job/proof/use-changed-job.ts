import { useSearch } from "@tanstack/react-router";

const JOB_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Returns the job that the form changes instead of creating one, or null. Stored in the address, for reloads, and
 * separate for each tab.
 */
export function useChangedJob(): string | null {
  const { changing }: Record<string, unknown> = useSearch({ strict: false });
  return typeof changing === "string" && JOB_ID.test(changing) ? changing : null;
}
