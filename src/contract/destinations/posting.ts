import { z } from "zod";
import { component } from "../component.ts";

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

export function faultOfService(service: string): string | null {
  return NEED_MORE.has(service) ? "Its posts need settings that are available only in Postiz." : null;
}

export function faultOfChannels(channels: readonly PostChannel[]): string | null {
  if (channels.length === 0) return "Choose a channel.";
  if (channels.length > POSTING_LIMITS.channels) return `Choose at most ${POSTING_LIMITS.channels} channels.`;
  if (new Set(channels.map(({ id }) => id)).size < channels.length) return "Choose each channel once.";
  const unusable = channels.find(({ service }) => faultOfService(service) !== null);
  return unusable ? `${unusable.name || unusable.id}: ${faultOfService(unusable.service)}` : null;
}
