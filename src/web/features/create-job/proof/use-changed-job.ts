import { useSearch } from "@tanstack/react-router";

const JOB_ID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Returns a job ID or null. Kept in the URL: survives reloads, separate per tab. */
export function useChangedJob(): string | null {
  const { changing }: Record<string, unknown> = useSearch({ strict: false });
  return typeof changing === "string" && JOB_ID.test(changing) ? changing : null;
}
