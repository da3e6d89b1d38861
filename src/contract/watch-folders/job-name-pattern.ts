import { nameWithoutExtension } from "../clean-name.ts";
import { JOB_LIMITS } from "../jobs/job-limits.ts";

const JOB_NAME_FIELDS = ["folder", "date", "time", "file", "count"] as const;
type JobNameField = (typeof JOB_NAME_FIELDS)[number];

const FIELD = /\{([^{}]*)\}/g;

/** Returns a sentence, or null. */
export function problemOfJobName(pattern: string): string | null {
  if (pattern === "") return "Enter a name for the jobs.";
  if (pattern.length > JOB_LIMITS.nameCharacters) return "Names can have at most 200 characters.";
  const unknown = [...pattern.matchAll(FIELD)].find(([, name]) => !isField(name!));
  if (!unknown) return null;
  return `${unknown[0]} is unknown. Use ${JOB_NAME_FIELDS.map((name) => `{${name}}`).join(", ")}.`;
}

/** Cuts the name to the allowed length. `now` is written in UTC. */
export function fillJobName(
  pattern: string,
  { folder, file, count, now }: { folder: string; file: string; count: number; now: Date },
): string {
  const [date = "", time = ""] = now.toISOString().split("T");
  const values: Record<JobNameField, string> = {
    folder,
    date,
    time: time.slice(0, 5),
    file: nameWithoutExtension(file),
    count: String(count),
  };
  const filled = pattern.replaceAll(FIELD, (all, name: string) => (isField(name) ? values[name] : all));
  const clean = filled.replaceAll(/\p{Cc}/gu, " ").trim();
  return clean.slice(0, JOB_LIMITS.nameCharacters).toWellFormed().trim() || folder;
}

function isField(name: string): name is JobNameField {
  return (JOB_NAME_FIELDS as readonly string[]).includes(name);
}
