import { z } from "zod";
import { JOB_LIMITS } from "../jobs/job-limits.ts";
import { problemOfDestinationName, problemOfFolder, problemOfPattern, problemOfPlace } from "./destination-fields.ts";
import {
  DESTINATION_KINDS,
  DESTINATION_LIMITS,
  problemOfChannels,
  POST_MODES,
  POSTING_LIMITS,
} from "./destinations.ts";

function checked<Value>(problemOf: (value: Value) => string | null): z.core.CheckFn<Value> {
  return (check) => {
    const message = problemOf(check.value);
    if (message !== null) check.issues.push({ code: "custom", input: check.value, message });
  };
}

const text = (most: number) => z.string().trim().max(most);
const id = z.uuid({ error: "The destination ID is missing or not valid." });

const word = text(POSTING_LIMITS.characters).min(1);
const channel = z.object({ id: word, name: text(POSTING_LIMITS.characters), service: word });

const posting = z.object({
  mode: z.enum(POST_MODES, { error: `posting.mode: must be one of ${POST_MODES.join(", ")}` }).default("draft"),
  channels: z.array(channel, { error: "Choose a channel." }).check(checked(problemOfChannels)),
});

const fields = z.object({
  kind: z.enum(DESTINATION_KINDS, { error: `kind: must be one of ${DESTINATION_KINDS.join(", ")}` }),
  name: z.string({ error: "Enter a name." }).trim().check(checked(problemOfDestinationName)),
  connection_id: z.uuid({ error: "Choose a connection." }).nullable().default(null).describe("Null for a folder."),
  place: text(DESTINATION_LIMITS.placeCharacters)
    .default("")
    .describe("The folder's name, the bucket, the ID of a Drive folder, or the start folder on an SFTP server."),
  folder: text(DESTINATION_LIMITS.folderCharacters)
    .check(checked(problemOfFolder))
    .default("")
    .describe("`{job}` is the job's name."),
  name_pattern: text(JOB_LIMITS.patternCharacters)
    .check(checked(problemOfPattern))
    .nullish()
    .transform((pattern) => pattern || null),
  with_manifest: z.boolean().default(true),
  posting: posting.nullable().default(null).describe("Only for postiz."),
  enabled: z.boolean().default(true),
});

type Fields = z.output<typeof fields>;

const rules = checked<Pick<Fields, "kind" | "place" | "connection_id" | "posting">>((destination) => {
  const { kind, place, connection_id: connection } = destination;
  if ((kind === "postiz") !== (destination.posting !== null)) {
    return kind === "postiz" ? "Choose a channel." : "Only a Postiz destination has channels.";
  }
  if (kind !== "folder" && connection === null) return "Choose a connection.";
  if (kind === "folder" && connection !== null) return "A folder has no connection.";
  return problemOfPlace(kind, place);
});

function asPosts<Given extends Fields>(given: Given): Given {
  return given.kind === "postiz" ? { ...given, folder: "", name_pattern: null, with_manifest: false } : given;
}

export const addDestinationSchema = fields.check(rules).transform(asPosts);

/** Replaces all fields. `version` is that of the fields the change is based on. */
export const changeDestinationSchema = fields
  .extend({ id, version: z.int({ error: "version: must be a whole number" }) })
  .check(rules)
  .transform(asPosts);

export const testDestinationFieldsSchema = fields.check(rules).transform(asPosts);

export const listChannelsSchema = z.object({ connection_id: z.uuid({ error: "Choose a connection." }) });

export const testSavedDestinationSchema = z.object({ id });

export const removeDestinationSchema = z.object({
  id,
  force: z.boolean().default(false).describe("Even if unfinished jobs or presets use it."),
});

const jobId = z.uuid({ error: "The job ID is missing or not valid." });
const deliveryId = z.uuid({ error: "The delivery ID is missing or not valid." });

export const listDeliveriesSchema = z.object({ job_id: jobId });
export const listDeliveryFilesSchema = z.object({ id: deliveryId });

export const deliverSchema = z.object({ job_id: jobId, destination_id: id });

export const changeDeliverySchema = z.object({
  id: deliveryId,
  action: z.enum(["retry", "cancel"], { error: "action: must be retry or cancel" }),
});
