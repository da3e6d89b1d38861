/**
 * Delivers each file as a post. Postiz has no idempotency key, so a post's time is saved before the request; after an
 * interruption, the next attempt looks for a post at exactly that time.
 */
import path from "node:path";
import { z } from "zod";
import type { PostChannel, Posting } from "#contract/destinations/destinations.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { DeliveryTarget, SendOptions, SentFile } from "../delivery-target.ts";
import type { FoundPost, PostizAccount } from "./postiz-account.ts";

/** Postiz rejects times in the past by its own clock. */
const SOON_MS = 60_000;
/** Postiz's limit (its custom.upload.validation.ts, read 2026-11-23). */
const MAX_BYTES = 1024 ** 3;

const checkpointSchema = z.object({
  media: z.object({ id: z.string(), path: z.string() }).optional(),
  /** Time of posts that may exist. */
  atMs: z.number().optional(),
  /** IDs of channels whose posts certainly exist. */
  posted: z.array(z.string()).optional(),
});
type Checkpoint = z.output<typeof checkpointSchema>;

type Options = {
  account: PostizAccount;
  posting: Posting;
  /** Throws ClipmillError "rate_limited" while no further post is allowed. */
  requireAllowance: () => Promise<void>;
};

export function openPostizTarget({ account, posting, requireAllowance }: Options): DeliveryTarget {
  let checked: Promise<void> | null = null;
  const checkChannels = (): Promise<void> => {
    checked ??= requireChannels(account, posting.channels);
    checked.catch(() => (checked = null));
    return checked;
  };

  async function send(
    target: string,
    file: SentFile,
    { resume, onProgress }: Omit<SendOptions, "signal">,
  ): Promise<"same"> {
    const name = path.basename(target);
    const text = file.caption?.trim() || path.parse(name).name;
    let state = readCheckpoint(resume);
    const store = async (next: Checkpoint) => {
      state = next;
      await onProgress(JSON.stringify(next));
    };
    if (state.atMs !== undefined) {
      const found = findOwn(await account.findPosts(state.atMs), state.atMs, text);
      await store({ media: state.media, posted: [...new Set([...(state.posted ?? []), ...found])] });
    }
    const channels = posting.channels.filter(({ id }) => !state.posted?.includes(id));
    if (channels.length === 0) return "same";
    await requireAllowance();
    const media = state.media ?? (await upload(account, file, name));
    await store({ ...state, media });
    const atMs = posting.mode === "now" ? Date.now() + SOON_MS : await account.findSlot(posting.channels[0]!.id);
    await store({ ...state, atMs });
    try {
      await account.create({
        type: posting.mode === "draft" ? "draft" : "schedule",
        date: new Date(atMs).toISOString(),
        posts: channels.map(({ id, service }) => ({
          channelId: id,
          text,
          media,
          settings: platformSettings(service, { text, name: path.parse(name).name }),
        })),
      });
    } catch (error) {
      if (isNotPosted(error)) await store({ ...state, atMs: undefined });
      throw error;
    }
    return "same";
  }

  return {
    filesAtOnce: 1,
    // Some channels may already have their post.
    keepsProgress: true,
    // Posts have no names; `send` looks for its own.
    async compare() {
      await checkChannels();
      return "nothing";
    },
    send,
    abandon: async () => {},
    probe: () => checkChannels(),
    [Symbol.asyncDispose]: async () => {},
  };
}

function readCheckpoint(resume: string | null): Checkpoint {
  return resume === null ? {} : checkpointSchema.parse(JSON.parse(resume));
}

async function upload(account: PostizAccount, file: SentFile, name: string) {
  if (file.sizeBytes > MAX_BYTES) throw new ClipmillError("too_large", "Postiz accepts videos of at most 1 GB.");
  return await account.upload(file.localPath, name);
}

async function requireChannels(account: PostizAccount, channels: readonly PostChannel[]): Promise<void> {
  const found = new Map((await account.listChannels()).map((channel) => [channel.id, channel]));
  for (const { id, name } of channels) {
    const channel = found.get(id);
    if (channel && !channel.isDisabled) continue;
    throw new ClipmillError(
      "source_not_found",
      channel
        ? `The channel "${name}" is disabled in Postiz. Enable it there, then retry.`
        : `The channel "${name}" no longer exists in Postiz. Choose the channels of this destination again in Settings.`,
    );
  }
}

function findOwn(posts: readonly FoundPost[], atMs: number, text: string): string[] {
  const wanted = lettersOf(text);
  return posts.filter((post) => post.atMs === atMs && lettersOf(post.text) === wanted).map((post) => post.channelId);
}

/** Postiz may store text as HTML and without its links. */
function lettersOf(text: string): string {
  return text.replaceAll(/<[^>]*>|&#?\w+;|https?:\/\/\S+|[^\p{L}\p{N}]/gu, "");
}

/** True if Postiz certainly created no post. */
function isNotPosted(error: unknown): boolean {
  return error instanceof ClipmillError && !["network", "unavailable", "cancelled"].includes(error.code);
}

/** YouTube's limits on titles (docs.postiz.com/public-api/providers/youtube, read 2026-11-23). */
const TITLE = { least: 2, most: 100 } as const;

/** Required settings of each network, for the plainest public post (docs.postiz.com/public-api/providers). */
const REQUIRED: Readonly<Record<string, Record<string, unknown>>> = {
  x: { who_can_reply_post: "everyone" },
  instagram: { post_type: "post" },
  "instagram-standalone": { post_type: "post" },
  tiktok: {
    privacy_level: "PUBLIC_TO_EVERYONE",
    ...{ duet: false, stitch: false, comment: true, autoAddMusic: "no" },
    ...{ brand_content_toggle: false, brand_organic_toggle: false },
    content_posting_method: "DIRECT_POST",
  },
};

function platformSettings(service: string, { text, name }: { text: string; name: string }): Record<string, unknown> {
  if (service !== "youtube") return { __type: service, ...REQUIRED[service] };
  const [line] = text.trim().split("\n");
  const wanted = line && line.length >= TITLE.least ? line : name;
  const title = Array.from(wanted).slice(0, TITLE.most).join("").padEnd(TITLE.least, ".");
  return { __type: service, title, type: "public", selfDeclaredMadeForKids: "no", tags: [] };
}
