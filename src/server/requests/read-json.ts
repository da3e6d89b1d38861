import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { ClipmillError } from "#contract/errors.ts";
import { runPure } from "#operations/thread/run-pure.ts";
import type { ServerEnv } from "../server-context.ts";
import { requireParsable } from "./measure-json.ts";

/** Rejects larger bodies before reading them completely. Discards a body that the call did not read. */
export function limitBody(megabytes: number) {
  const limit = bodyLimit({
    maxSize: megabytes * 1024 * 1024,
    onError: (c) => {
      // Closes the connection instead of reading the rest.
      c.header("Connection", "close");
      throw new ClipmillError("too_large", `The request is larger than ${megabytes} MB.`);
    },
  });
  return createMiddleware<ServerEnv>(async (c, next) => {
    await limit(c, next);
    const { body, bodyUsed } = c.req.raw;
    // The rest would keep the connection's next request from being read.
    if (body && !bodyUsed) void body.pipeTo(new WritableStream()).catch(() => {});
  });
}

/** Parsing less takes at most about 10 ms, whatever it contains. */
const MAX_UNMEASURED_BYTES = 256 * 1024;

/** A function and its idempotency read the same body. */
const parsedBodies = new WeakMap<Request, Promise<unknown>>();

/** {} if empty. Throws ClipmillError "invalid" or "too_large". */
export async function readJson(c: Context<ServerEnv>): Promise<Record<string, unknown>> {
  const value = await readJsonValue(c);
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new ClipmillError("invalid", "The request must be a JSON object.");
  }
  return value as Record<string, unknown>;
}

/** {} if empty. Throws ClipmillError "invalid", also for text that cannot be stored, or "too_large". */
export function readJsonValue(c: Context): Promise<unknown> {
  const known = parsedBodies.get(c.req.raw) ?? parseBody(c);
  parsedBodies.set(c.req.raw, known);
  return known;
}

async function parseBody(c: Context): Promise<unknown> {
  const bytes = new Uint8Array(await c.req.arrayBuffer());
  if (bytes.length > MAX_UNMEASURED_BYTES) await requireParsable(bytes);
  const parsed = await runPure("parseJson", bytes);
  if ("problem" in parsed) throw new ClipmillError("invalid", parsed.problem);
  return parsed.value;
}
