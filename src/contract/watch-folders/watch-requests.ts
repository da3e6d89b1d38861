import { z } from "zod";
import { problemOfJobName } from "./job-name-pattern.ts";
import {
  EXISTING,
  GROUPINGS,
  isConnected,
  WATCH_DEFAULTS,
  WATCH_FILE_STATES,
  WATCH_KINDS,
  WATCH_LIMITS,
} from "./watch-folders.ts";
import { problemOfWatchPlace } from "./watch-place.ts";

const { intervalSeconds, settleSeconds } = WATCH_LIMITS;

const id = z.uuid({ error: "The watch folder ID is missing or not valid." });

const seconds = (name: string, { least, most }: { least: number; most: number }, usual: number) => {
  const rule = `${name}: must be a whole number of seconds from ${least} to ${most}`;
  return z.int({ error: rule }).min(least, rule).max(most, rule).default(usual);
};

const fields = {
  name: z
    .string({ error: "Enter a name." })
    .trim()
    .min(1, "Enter a name.")
    .max(WATCH_LIMITS.nameCharacters, "Names can have at most 100 characters.")
    .refine((text) => !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text), "Names can't contain line breaks or control characters."),
  kind: z.enum(WATCH_KINDS, { error: `kind: must be one of ${WATCH_KINDS.join(", ")}` }),
  place: z
    .string({ error: "Choose a folder." })
    .trim()
    .min(1, "Choose a folder.")
    .max(WATCH_LIMITS.placeCharacters, "The address of the folder is too long.")
    .describe("A local folder's name, a link to a folder, or a path for `dropbox` and `sftp`."),
  connection_id: z.uuid({ error: "Choose a connection." }).nullable().describe("For `drive`, `dropbox` and `sftp`."),
  preset_id: z.uuid({ error: "Choose a preset." }),
  job_name: z
    .string()
    .trim()
    .default(WATCH_DEFAULTS.job_name)
    .check((check) => {
      const message = problemOfJobName(check.value);
      if (message !== null) check.issues.push({ code: "custom", input: check.value, message });
    })
    .describe("A pattern of `{folder}`, `{date}`, `{time}`, `{file}` and `{count}`."),
  grouping: z.enum(GROUPINGS, { error: "grouping: must be batch or file" }).default(WATCH_DEFAULTS.grouping),
  interval_seconds: seconds("interval_seconds", intervalSeconds, WATCH_DEFAULTS.interval_seconds),
  settle_seconds: seconds("settle_seconds", settleSeconds, WATCH_DEFAULTS.settle_seconds),
};

export const addWatchFolderSchema = z
  .object({
    ...fields,
    connection_id: fields.connection_id.default(null),
    existing: z.enum(EXISTING, { error: "existing: must be skip or take" }).default(WATCH_DEFAULTS.existing),
  })
  .check((check) => {
    const { kind, place, connection_id: connection } = check.value;
    const message = problemOfConnection(isConnected(kind), connection) ?? problemOfWatchPlace(kind, place);
    if (message !== null) check.issues.push({ code: "custom", input: check.value, message });
  });

function problemOfConnection(needsOne: boolean, connection: string | null): string | null {
  if (needsOne) return connection === null ? "Choose a connection." : null;
  return connection === null ? null : "A folder of this kind has no connection.";
}

/**
 * Replaces all fields except `kind`, `place` and `existing`. `version` is that of the fields the change is based on.
 * Without `connection_id`, the connection stays.
 */
export const changeWatchFolderSchema = z.object({
  name: fields.name,
  connection_id: fields.connection_id.optional(),
  preset_id: fields.preset_id,
  job_name: fields.job_name,
  grouping: fields.grouping,
  interval_seconds: fields.interval_seconds,
  settle_seconds: fields.settle_seconds,
  id,
  version: z.int({ error: "version: must be a whole number" }),
});

export const watchFolderIdSchema = z.object({ id });

const fileId = z.uuid({ error: "The file ID is missing or not valid." });

/** Continues after the file `after`. */
export const listWatchFilesSchema = z.object({
  id,
  state: z.enum(WATCH_FILE_STATES, { error: "state: must be seen, taken, skipped or failed" }).nullish(),
  after: fileId.nullish().describe("The last file of the previous page."),
});

export const runFileAgainSchema = z.object({ file_id: fileId });
