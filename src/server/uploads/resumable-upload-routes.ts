import { randomBytes } from "node:crypto";
import type { Readable } from "node:stream";
import { ReadableStream } from "node:stream/web";
import { DataStore, type Locker, Server, Upload } from "@tus/server";
import { type Context, Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import type { ResumableUploadEntry, ResumableUploadsResponse, UploadResponse } from "#contract/calls.ts";
import type { ActorContext } from "#operations/audit/write-audit.ts";
import {
  createResumableUpload,
  finishResumableUpload,
  receivePart,
} from "#operations/library/resumable/finish-resumable-upload.ts";
import { RESUMABLE_MS, type ResumableUploads } from "#operations/library/resumable/resumable-uploads.ts";
import type { ResumableUpload } from "#operations/library/resumable/upload-records.ts";
import type { UploadIntake } from "#operations/library/upload-intake.ts";
import { actorContextFor } from "../actor-context.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { readPieces } from "./read-pieces.ts";

const PATH = "/uploads/tus";
/** The tus server sees no other headers, so it trusts no proxy's. */
const HEADERS = ["tus-resumable", "upload-length", "upload-defer-length", "upload-offset", "upload-metadata"];
const BODY_HEADERS = ["content-type", "content-length"];
/** The next request must not wait for a stalled one to end. 0 would mean the default of 3 s. */
const DRAIN_MS = 1;

type Call = { accountId: string; context: ServerContext & ActorContext; error?: unknown };

/**
 * tus 1.0.0 (https://tus.io/protocols/resumable-upload) with creation, termination and expiration. In addition, GET
 * lists the account's uploads, and GET of a completed one returns its library file.
 */
export function resumableUploadRoutes(server: ServerContext): Hono<ServerEnv> {
  const { uploads } = server;
  const { resumable } = uploads;
  const calls = new WeakMap<object, Call>();
  const locks = createUploadLocker(resumable);
  const tus = new Server({
    path: PATH,
    relativeLocation: true,
    datastore: new PartStore(uploads),
    locker: locks.lockerFor,
    lockDrainTimeout: DRAIN_MS,
    allowedOrigins: () => false,
    namingFunction: () => randomBytes(16).toString("base64url"),
    async onIncomingRequest(request, id) {
      if (request.method !== "POST") resumable.find(id, calls.get(request)!.accountId);
    },
    async onUploadCreate(request, { id, size, metadata = {} }) {
      const { accountId } = calls.get(request)!;
      await createResumableUpload(uploads, { id, accountId, sizeBytes: size!, metadata });
      return {};
    },
    async onUploadFinish(request, { id }) {
      await finishResumableUpload(calls.get(request)!.context, uploads, id);
      return {};
    },
    onResponseError(request, error) {
      calls.get(request)!.error = error;
      return undefined;
    },
  });

  const handle = async (c: Context<ServerEnv>): Promise<Response> => {
    const { method } = c.req;
    const pieces = method === "PATCH" ? readPieces(c.env.incoming) : null;
    const headers = new Headers();
    for (const name of [...HEADERS, ...(pieces ? BODY_HEADERS : [])]) {
      const value = c.req.header(name);
      if (value !== undefined) headers.set(name, value);
    }
    const call: Call = { accountId: c.get("operator").account.id, context: actorContextFor(server, c) };
    const request = new Request(c.req.url, {
      method,
      headers,
      ...(pieces && { body: ReadableStream.from(pieces) as BodyInit, duplex: "half" }),
    });
    calls.set(request, call);
    try {
      const response = await tus.handleWeb(request);
      if (call.error !== undefined || response.status >= 400) return await respondWithTusError(c, call.error, response);
      for (const name of [...response.headers.keys()]) {
        if (name.startsWith("access-control-")) response.headers.delete(name);
      }
      return response;
    } finally {
      // A replaced request must stop reading. Resolves only with its next piece.
      void pieces?.return(undefined);
    }
  };

  const describe = async ({ id, result, ...upload }: ResumableUpload): Promise<ResumableUploadEntry | null> => {
    const { name, use, sizeBytes, fingerprint, screen } = upload;
    const receivedBytes = await resumable.receivedBytes(id).catch(() => null);
    // Canceled meanwhile.
    if (receivedBytes === null) return null;
    const senderState = locks.isLocked(id) ? "receiving" : "waiting";
    const state = result ? "finished" : resumable.isBeingKept(id) ? "checking" : senderState;
    return { id, name, use, sizeBytes, receivedBytes, fingerprint, screen, state };
  };

  const app = new Hono<ServerEnv>();
  app.get("/", async (c) => {
    const known = resumable.list(c.get("operator").account.id);
    const entries = await Promise.all(known.map((upload) => describe(upload)));
    const data = entries.filter((entry) => entry !== null);
    return c.json({ data } satisfies ResumableUploadsResponse);
  });
  app.get("/:id", async (c) => {
    // Hono routes HEAD like GET.
    if (c.req.method === "HEAD") return await handle(c);
    const { id } = resumable.find(c.req.param("id"), c.get("operator").account.id);
    return c.json((await finishResumableUpload(actorContextFor(server, c), uploads, id)) satisfies UploadResponse);
  });
  app.on(["POST", "OPTIONS"], "/", handle);
  app.on(["PATCH", "DELETE"], "/:id", handle);
  return app;
}

/** Errors that operators can meet; others are bugs of a program. */
const SENTENCES: Record<number, string> = {
  404: "This upload no longer exists. Start it again.",
  409: "The bytes do not start at the upload's current offset. Request the offset with HEAD, then send the rest.",
  410: "This upload has expired. Start it again.",
  413: "The request has more bytes than the upload announced.",
};

/** Formats the tus server's errors. Throws `error` if it is our own. */
async function respondWithTusError(c: Context<ServerEnv>, error: unknown, response: Response): Promise<Response> {
  c.header("Tus-Resumable", "1.0.0");
  if (response.status === 412) c.header("Tus-Version", "1.0.0");
  // The rest of a rejected body is not read.
  c.header("Connection", "close");
  if (error instanceof Error && !("status_code" in error)) throw error;
  const sentence = SENTENCES[response.status] ?? (await response.text()).trim();
  return c.json({ error: sentence }, response.status as ContentfulStatusCode);
}

const BUSY = {
  status_code: 423,
  body: "This file is being uploaded in another tab or program. Wait for it to finish, then try again.",
};

type Holder = { requestRelease: () => void; released: PromiseWithResolvers<void> };

/**
 * One request at a time may write an upload. Others get 423 while it sends data; a stalled one, whose sender has
 * probably lost the connection, is replaced. DELETE always replaces; HEAD only reads.
 */
function createUploadLocker(uploads: Pick<ResumableUploads, "isSilent">): {
  lockerFor: (request: { method: string }) => Locker;
  isLocked: (id: string) => boolean;
} {
  const holders = new Map<string, Holder>();
  const lockerFor = ({ method }: { method: string }): Locker => ({
    newLock(id) {
      let own: Holder | null = null;
      return {
        async lock(_signal, requestRelease) {
          const holder = holders.get(id);
          if (holder && method !== "DELETE" && !uploads.isSilent(id)) throw BUSY;
          if (method === "HEAD") return;
          if (holder) {
            holder.requestRelease();
            await holder.released.promise;
            if (holders.has(id)) throw BUSY;
          }
          own = { requestRelease: () => void requestRelease(), released: Promise.withResolvers() };
          holders.set(id, own);
        },
        async unlock() {
          if (!own) return;
          holders.delete(id);
          own.released.resolve();
        },
      };
    },
  });
  return { lockerFor, isLocked: (id) => holders.has(id) };
}

/** The server's hooks check owners and create uploads. */
class PartStore extends DataStore {
  readonly #intake: UploadIntake;

  constructor(intake: UploadIntake) {
    super();
    this.#intake = intake;
    this.extensions = ["creation", "termination", "expiration"];
  }

  override async getUpload(id: string): Promise<Upload> {
    const { resumable } = this.#intake;
    const { sizeBytes } = resumable.find(id);
    const offset = await resumable.receivedBytes(id);
    // The server counts expiry from creation; ours counts from the last byte.
    return new Upload({ id, size: sizeBytes, offset, creation_date: new Date(resumable.touchedMs(id)).toISOString() });
  }

  override async write(body: Readable, id: string): Promise<number> {
    const offset = await receivePart(this.#intake, id, body);
    // Bytes beyond the end are an error of `body`.
    for await (const _ of body) continue;
    return offset;
  }

  override async remove(id: string): Promise<void> {
    await this.#intake.resumable.remove(id);
  }

  override getExpiration(): number {
    return RESUMABLE_MS;
  }
}
