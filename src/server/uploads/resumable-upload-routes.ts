import { randomBytes } from "node:crypto";
import { ReadableStream } from "node:stream/web";
import { Server } from "@tus/server";
import { type Context, Hono } from "hono";
import type { ResumableUploadEntry, ResumableUploadsResponse, UploadResponse } from "#contract/calls.ts";
import type { ActorContext } from "#operations/audit/actor.ts";
import { createResumableUpload } from "#operations/library/resumable/create-resumable-upload.ts";
import { finishResumableUpload } from "#operations/library/resumable/finish-resumable-upload.ts";
import type { ResumableUpload } from "#operations/library/resumable/upload-records.ts";
import { actorContextFor } from "../actor-context.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { PartStore } from "./part-store.ts";
import { readPieces } from "./read-pieces.ts";
import { answerTusError } from "./tus-errors.ts";
import { createUploadLocker } from "./upload-locker.ts";

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

  const answer = async (c: Context<ServerEnv>): Promise<Response> => {
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
      if (call.error !== undefined || response.status >= 400) return await answerTusError(c, call.error, response);
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
    if (c.req.method === "HEAD") return await answer(c);
    const { id } = resumable.find(c.req.param("id"), c.get("operator").account.id);
    return c.json((await finishResumableUpload(actorContextFor(server, c), uploads, id)) satisfies UploadResponse);
  });
  app.on(["POST", "OPTIONS"], "/", answer);
  app.on(["PATCH", "DELETE"], "/:id", answer);
  return app;
}
