import type { IncomingMessage } from "node:http";
import type { Context } from "hono";
import { TOKEN_PREFIX } from "#contract/api-tokens.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";
import { readSession } from "#operations/accounts/sessions/read-session.ts";
import { findToken } from "#operations/tokens/find-token.ts";
import type { AccessClaims } from "../auth/sessions/access-token.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { parseBindings } from "./binding.ts";
import type { ChangeFeed } from "./change-feed.ts";
import { type Channel, openChannel } from "./channel.ts";
import { decodeFrame, encodeFrame, type Frame, type FrameVersion } from "./frames.ts";

const MAX_CHANNELS = 100;
/** Clients with a longer token rejoin daily. */
const LONGEST_SECONDS = 86_400;

export type Connection = {
  /** Handles messages sequentially. */
  receive(text: string): void;
  /** Closes a signed-out session's channels; clients do not rejoin. */
  endSession(sessionId: string): void;
  /** For all channels: changes may have been missed. */
  rejoin(): void;
  close(): void;
};

/** Serves one client's socket (PROTOCOL 4). `onJoin` is called after each join. */
export function openConnection(
  server: ServerContext,
  feed: ChangeFeed,
  version: FrameVersion,
  { write, onJoin }: { write: (text: string) => void; onJoin: () => void },
): Connection {
  const channels = new Map<string, Channel>();
  let nextBindingId = 1;
  let isClosed = false;
  let handling: Promise<void> = Promise.resolve();

  const send = (frame: Frame): void => {
    if (!isClosed) write(encodeFrame(frame, version));
  };
  const reply = (frame: Frame, status: "ok" | "error", response: Record<string, unknown> = {}): void =>
    send({ ...frame, event: "phx_reply", payload: { status, response } });

  const drop = (topic: string): void => {
    const channel = channels.get(topic);
    if (!channel) return;
    channels.delete(topic);
    feed.remove(channel);
    channel.stop();
  };

  const join = async (frame: Frame): Promise<void> => {
    const { topic, joinRef } = frame;
    drop(topic);
    if (channels.size >= MAX_CHANNELS) return reply(frame, "error", { reason: "Too many channels" });
    const claims = await admit(server, frame.payload.access_token);
    if (claims instanceof AuthError) return reply(frame, "error", { reason: `InvalidJWTToken: ${claims.message}` });
    const bindings = parseBindings(frame.payload.config, nextBindingId);
    if (!bindings) {
      return reply(frame, "error", { reason: "Unable to subscribe to changes with given parameters" });
    }
    // The socket may have closed during the queries.
    if (isClosed) return;
    nextBindingId += bindings.length;
    const toClient = (event: string, payload: Record<string, unknown>): void =>
      send({ joinRef, ref: null, topic, event, payload });
    const channel = openChannel({ joinRef, claims, bindings, send: toClient, onEnd: () => drop(topic) });
    channels.set(topic, channel);
    feed.add(channel);
    onJoin();
    reply(frame, "ok", { postgres_changes: bindings });
    toClient("system", {
      extension: "postgres_changes",
      status: "ok",
      message: "Subscribed to PostgreSQL",
      channel: topic.replace(/^realtime:/, ""),
    });
  };

  const renew = async ({ topic, payload }: Frame): Promise<void> => {
    const channel = channels.get(topic);
    const token = payload.access_token;
    if (!channel || typeof token !== "string" || token.startsWith("sb_")) return;
    const claims = await admit(server, token);
    if (claims instanceof AuthError) channel.onGap();
    else channel.renew(claims);
  };

  const handle = async (frame: Frame): Promise<void> => {
    switch (frame.event) {
      case "heartbeat":
        return reply(frame, "ok");
      case "phx_join":
        return join(frame);
      case "access_token":
        return renew(frame);
      case "phx_leave": {
        const joinRef = channels.get(frame.topic)?.joinRef ?? frame.joinRef;
        drop(frame.topic);
        reply(frame, "ok");
        return send({ joinRef, ref: joinRef, topic: frame.topic, event: "phx_close", payload: {} });
      }
      default:
        // Broadcast and presence are not supported.
        if (frame.ref !== null) reply(frame, "error", { reason: "This event is not supported" });
    }
  };

  return {
    receive(text) {
      const frame = decodeFrame(text, version);
      if (!frame) return;
      handling = handling
        .then(() => (isClosed ? undefined : handle(frame)))
        .catch((error: unknown) => {
          server.log.error({ err: error, event: frame.event }, "could not handle a live message");
          reply(frame, "error", { reason: "Something went wrong on the server. Try again." });
        });
    },
    endSession(sessionId) {
      for (const [topic, channel] of channels) {
        if (channel.sessionId !== sessionId) continue;
        const { joinRef } = channel;
        drop(topic);
        const payload = { extension: "system", status: "error", message: "This session has been signed out." };
        send({ joinRef, ref: null, topic, event: "system", payload });
        send({ joinRef, ref: joinRef, topic, event: "phx_close", payload: {} });
      }
    },
    rejoin() {
      for (const channel of channels.values()) channel.onGap();
    },
    close() {
      isClosed = true;
      for (const topic of channels.keys()) drop(topic);
    },
  };
}

/** Returns the AuthError for an invalid token. Throws other errors. */
async function admit(server: ServerContext, token: unknown): Promise<AccessClaims | AuthError> {
  try {
    if (typeof token !== "string") throw new AuthError("no_authorization", "an access token is required");
    return token.startsWith(TOKEN_PREFIX) ? await admitToken(server, token) : await admitSession(server, token);
  } catch (error) {
    if (error instanceof AuthError) return error;
    throw error;
  }
}

async function admitSession(server: ServerContext, token: string): Promise<AccessClaims> {
  const claims = await server.accessTokens.read(token);
  await readSession(server, claims);
  return claims;
}

/** The id stands for a session. All live tables are of jobs. */
async function admitToken(server: ServerContext, token: string): Promise<AccessClaims> {
  const { id, account, scopes, expiresAt } = await findToken(server, token);
  if (!scopes.includes("jobs:read")) throw new AuthError("bad_jwt", "this API token needs the scope jobs:read");
  const tomorrow = Math.floor(Date.now() / 1000) + LONGEST_SECONDS;
  const expiry = expiresAt === null ? tomorrow : Math.min(tomorrow, Math.floor(Date.parse(expiresAt) / 1000));
  return { accountId: account.id, sessionId: id, hasSecondStep: true, expiresAt: expiry };
}

const PATH = "/realtime/v1/websocket";

export function isHandshake({ method, url, headers }: IncomingMessage): boolean {
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;
  return (
    method === "GET" && !hasBody && headers.upgrade?.toLowerCase() === "websocket" && url?.split("?", 1)[0] === PATH
  );
}

export function isUpgrading(c: Context<ServerEnv>): boolean {
  return c.req.header("upgrade") !== undefined && c.env.outgoing === undefined;
}
