import type { Job } from "#contract/jobs/jobs.ts";

/** Rounds, as for an estimate. */
export function describeSeconds(seconds: number): string {
  const minutes = Math.round(seconds / 60);
  if (minutes < 1) return "Less than a minute";
  if (minutes < 60) return `About ${minutes} min`;
  const inFives = Math.round(minutes / 5) * 5;
  const rest = inFives % 60;
  return rest === 0 ? `About ${inFives / 60} h` : `About ${Math.floor(inFives / 60)} h ${rest} min`;
}

/** Returns null while unknown. */
export function describeTimeLeft({ seconds_left: seconds }: Pick<Job, "seconds_left">): string | null {
  return seconds === null ? null : `${describeSeconds(seconds)} left`;
}
