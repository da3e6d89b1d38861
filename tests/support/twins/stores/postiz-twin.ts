/**
 * A local twin of Postiz. Sources, all read 2026-11-23:
 *
 * - Paths, fields and responses: docs.postiz.com/public-api (openapi.json, posts/create, uploads/upload-file). The key is the
 *   whole Authorization header.
 * - Free times at 02:00, 06:40 and 11:40 UTC without a zone, of all channels together, drafts included; times in the past
 *   rejected; a post per channel, made one after another; 400 for an unknown channel: gitroomhq/postiz-app, posts.service.ts
 *   and posts.repository.ts.
 * - 401 with `msg` for a wrong key: public.auth.middleware.ts. 429 of Nest's throttler for creating posts:
 *   throttler.provider.ts; its older releases limited all requests (docs.postiz.com/public-api/introduction).
 */
import { randomUUID } from "node:crypto";
import { sha256Of } from "#ground/checksum.ts";
import { sendJson, startTwinServer, type TwinCall, type TwinServer } from "./twin-server.ts";

const API_KEY = "a-key-of-postiz-1234";
/** In minutes. */
const SLOTS = [120, 400, 700];
const DAY_MS = 86_400_000;

type Integration = { id: string; name: string; identifier: string; disabled: boolean; profile: string };
type TwinPost = {
  id: string;
  type: string;
  publishDate: string;
  content: string;
  channel: string;
  sha256: string;
  name: string;
  settings: Record<string, unknown>;
};
type CreateBody = {
  type: string;
  date: string;
  posts: {
    integration: { id: string };
    value: { content: string; image: { id: string; path: string }[] }[];
    settings: Record<string, unknown>;
  }[];
};

export type PostizTwin = Pick<TwinServer, "calls" | "faults" | "close"> & {
  fields: { kind: "postiz"; endpoint: string; api_key: string; posts_per_hour: number };
  /** For ALLOW_PRIVATE_SOURCES. */
  authority: string;
  channels: Integration[];
  posts: TwinPost[];
  uploads: Map<string, { name: string; sha256: string }>;
  /** The next request creates only this many of its posts, then fails. */
  stopAfter: number | null;
  /** Rejects the request after that, with this body. */
  rejection: string | null;
};

/** Has two channels. */
export async function startPostizTwin(): Promise<PostizTwin> {
  const channels: Integration[] = [
    { id: "cm4tiktok", name: "Clips", identifier: "tiktok", disabled: false, profile: "clips" },
    { id: "cm4youtube", name: "Shorts", identifier: "youtube", disabled: false, profile: "shorts" },
  ];
  const posts: TwinPost[] = [];
  const uploads: PostizTwin["uploads"] = new Map();

  async function handle(call: TwinCall): Promise<[status: number, body: unknown]> {
    if (call.headers.authorization !== API_KEY) return [401, { msg: "Invalid API key" }];
    const route = `${call.method} ${call.path.replace("/api/public/v1", "")}`;
    if (route === "GET /integrations") return [200, channels];
    if (route.startsWith("GET /find-slot/")) return [200, { date: findSlot(posts).toISOString().slice(0, 19) }];
    if (route === "POST /upload") return [201, await upload(call)];
    if (route === "GET /posts") return [200, { posts: listPosts(call.query) }];
    if (route === "POST /posts") return create(JSON.parse(call.body.toString()) as CreateBody);
    return [404, { message: `Cannot ${route}`, error: "Not Found", statusCode: 404 }];
  }

  async function upload({ headers, body }: TwinCall) {
    const form = await new Response(new Uint8Array(body), {
      headers: { "content-type": headers["content-type"]! },
    }).formData();
    const file = form.get("file") as File;
    const id = randomUUID();
    uploads.set(id, { name: file.name, sha256: sha256Of(Buffer.from(await file.arrayBuffer())) });
    return { id, name: file.name, path: `https://uploads.twin/${id}.mp4`, organizationId: "org" };
  }

  function listPosts(query: URLSearchParams) {
    const [from, to] = ["startDate", "endDate"].map((name) => Date.parse(query.get(name)!));
    return posts
      .filter(({ publishDate }) => Date.parse(publishDate) >= from! && Date.parse(publishDate) <= to!)
      .map(({ id, content, publishDate, type, channel }) => {
        const integration = channels.find((one) => one.id === channel)!;
        const { identifier: providerIdentifier, name } = integration;
        const state = type === "draft" ? "DRAFT" : "QUEUE";
        return { id, content, publishDate, state, integration: { id: channel, providerIdentifier, name } };
      });
  }

  function create({ type, date, posts: wanted }: CreateBody): [number, unknown] {
    const unknown = wanted.find(({ integration }) => !channels.some(({ id }) => id === integration.id));
    if (unknown) return rejected(`Integration with id ${unknown.integration.id} not found`);
    if (type === "schedule" && Date.parse(date) < Date.now() - 60_000) {
      return rejected(`Publish date ${date} UTC is in the past - saving would publish immediately.`);
    }
    const most = twin.stopAfter ?? wanted.length;
    twin.stopAfter = null;
    if (most < wanted.length && twin.rejection !== null) {
      faults.push({ method: "POST", path: "/posts", response: { status: 400, body: twin.rejection } });
    }
    const made = wanted.slice(0, most).map(({ integration, value: [first], settings }) => {
      const { content, image } = first!;
      const file = uploads.get(image[0]!.id)!;
      const post = { id: randomUUID(), type, publishDate: date, content, channel: integration.id, ...file, settings };
      posts.push(post);
      return { postId: post.id, integration: integration.id };
    });
    return made.length < wanted.length ? [500, { statusCode: 500, message: "Internal server error" }] : [201, made];
  }

  const server = await startTwinServer(async (call, response) => {
    sendJson(response, ...(await handle(call)));
  });
  const { calls, faults } = server;
  const fields = { kind: "postiz", endpoint: `${server.url}/api`, api_key: API_KEY, posts_per_hour: 10_000 } as const;
  const authority = new URL(server.url).host;
  const twin: PostizTwin = {
    calls,
    faults,
    close: () => server.close(),
    fields,
    authority,
    channels,
    posts,
    uploads,
    stopAfter: null,
    rejection: null,
  };
  return twin;
}

function rejected(message: string): [number, unknown] {
  return [400, { message, error: "Bad Request", statusCode: 400 }];
}

function findSlot(posts: readonly TwinPost[]): Date {
  const taken = new Set(posts.map(({ publishDate }) => Date.parse(publishDate)));
  for (let day = Math.floor(Date.now() / DAY_MS) * DAY_MS; ; day += DAY_MS) {
    const free = SLOTS.map((minutes) => day + minutes * 60_000).find((at) => at > Date.now() && !taken.has(at));
    if (free !== undefined) return new Date(free);
  }
}
