import { z } from "zod";
import { component } from "../component.ts";

/** Stored; never rename one. */
export const DESTINATION_KINDS = ["folder", "s3", "sftp", "drive", "dropbox", "postiz"] as const;
export type DestinationKind = (typeof DESTINATION_KINDS)[number];

export type DestinationSettings = {
  /**
   * `folder`: the name of a folder that the server's configuration allows. `s3`: the bucket. `drive`: a folder's ID.
   * `sftp`: a folder, by default the user's. `dropbox`, `postiz`: "".
   */
  place: string;
  /** Below the place, separated by `/`; `{job}` is the job's name. "" is the place itself. */
  folder: string;
  /** Null keeps the job's names. See `name-pattern.ts`. */
  name_pattern: string | null;
  with_manifest: boolean;
  /** Null for kinds that keep files. */
  posting: Posting | null;
};

export const DestinationUser = component("DestinationUser", () => ({
  id: z.string(),
  name: z.string(),
  type: z.enum(["job", "preset"]),
}));
export type DestinationUser = z.infer<typeof DestinationUser>;

export const Destination = component("Destination", () => ({
  place: z
    .string()
    .describe(
      "`folder`: the name of a folder that the server's configuration allows. `s3`: the bucket. `drive`: a folder's ID. `sftp`: a folder, by default the user's. `dropbox`, `postiz`: \"\".",
    ),
  folder: z.string().describe('Below the place, separated by `/`; `{job}` is the job\'s name. "" is the place itself.'),
  name_pattern: z.string().nullable().describe("Null keeps the job's names. See `name-pattern.ts`."),
  with_manifest: z.boolean(),
  posting: z.nullable(Posting).describe("Null for kinds that keep files."),
  id: z.string(),
  kind: z.enum(DESTINATION_KINDS),
  name: z.string(),
  connection_id: z.string().nullable().describe("Null for a folder or a removed connection."),
  enabled: z.boolean(),
  version: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  used_by: z.array(DestinationUser).describe("The first 10 unfinished jobs and presets that deliver to it."),
  used_by_total: z.number(),
}));
export type Destination = z.infer<typeof Destination>;

export const DestinationsResponse = component(
  "DestinationsResponse",
  "`folders` names those available to the kind `folder`.",
  () => ({ data: z.array(Destination), folders: z.array(z.string()) }),
);
export type DestinationsResponse = z.infer<typeof DestinationsResponse>;

export const DestinationResponse = component("DestinationResponse", () => ({ data: Destination }));
export type DestinationResponse = z.infer<typeof DestinationResponse>;

export const TestDestinationResponse = component("TestDestinationResponse", () => ({
  isValid: z.boolean(),
  message: z.string(),
}));
export type TestDestinationResponse = z.infer<typeof TestDestinationResponse>;

/** Every installation has it, in its data directory. */
export const OWN_FOLDER = "deliveries";

export const DESTINATION_LIMITS = {
  destinations: 100,
  nameCharacters: 100,
  placeCharacters: 500,
  folderCharacters: 500,
} as const;

export const MAX_LISTED_DESTINATION_USERS = 10;

/**
 * `draft` waits in Postiz, dated like `schedule`, which publishes at the first channel's next free time. `now`
 * publishes within two minutes. Stored; never rename one.
 */
export const POST_MODES = ["draft", "schedule", "now"] as const;
export type PostMode = (typeof POST_MODES)[number];

export const PostChannel = component("PostChannel", 'An account; "integration" in Postiz\'s API.', () => ({
  id: z.string(),
  name: z.string(),
  service: z.string(),
}));
export type PostChannel = z.infer<typeof PostChannel>;

export const Posting = component("Posting", () => ({
  mode: z.enum(POST_MODES),
  channels: z.array(PostChannel).describe("Each gets a post per file."),
}));
export type Posting = z.infer<typeof Posting>;

export const ChannelsResponse = component("ChannelsResponse", () => ({
  data: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      service: z.string(),
      problem: z.string().nullable().describe("Why no posts can be made in it; null if they can."),
    }),
  ),
}));
export type ChannelsResponse = z.infer<typeof ChannelsResponse>;

export const POSTING_LIMITS = { channels: 20, characters: 200 } as const;

/**
 * Their posts need more than a text and a video, such as a board or a subreddit
 * (docs.postiz.com/public-api/posts/create, "Required Settings", read 2026-11-23).
 */
const NEED_MORE: ReadonlySet<string> = new Set([
  ...["reddit", "lemmy", "discord", "slack", "pinterest", "dribbble"],
  ...["medium", "devto", "hashnode", "wordpress", "listmonk"],
]);

export function problemOfService(service: string): string | null {
  return NEED_MORE.has(service) ? "Its posts need settings that are available only in Postiz." : null;
}

export function problemOfChannels(channels: readonly PostChannel[]): string | null {
  if (channels.length === 0) return "Choose a channel.";
  if (channels.length > POSTING_LIMITS.channels) return `Choose at most ${POSTING_LIMITS.channels} channels.`;
  if (new Set(channels.map(({ id }) => id)).size < channels.length) return "Choose each channel once.";
  const unusable = channels.find(({ service }) => problemOfService(service) !== null);
  return unusable ? `${unusable.name || unusable.id}: ${problemOfService(unusable.service)}` : null;
}
