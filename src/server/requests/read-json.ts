import { setImmediate as nextTurn } from "node:timers/promises";
import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createMiddleware } from "hono/factory";
import { ClipmillError } from "#contract/errors.ts";
import { runPure } from "#operations/thread/run-pure.ts";
import type { ServerEnv } from "../server-context.ts";

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
  const bytes = await readBytes(c.req.raw.body);
  if (bytes.length > MAX_UNMEASURED_BYTES) await requireParsable(bytes);
  const parsed = await runPure("parseJson", bytes);
  if ("problem" in parsed) throw new ClipmillError("invalid", parsed.problem);
  return parsed.value;
}

/** Copies in slices: joining 64 MB in one turn takes 50 to 100 ms. */
async function readBytes(body: ReadableStream<Uint8Array> | null): Promise<Uint8Array<ArrayBuffer>> {
  const parts = body ? await Array.fromAsync(body) : [];
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let turnEnds = BYTES_PER_TURN;
  let at = 0;
  for (const part of parts) {
    if (at >= turnEnds) {
      await nextTurn();
      turnEnds = at + BYTES_PER_TURN;
    }
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}

/**
 * What JSON may contain, so that parsing it takes at most about 50 ms: JSON.parse is slow for arrays, objects and names,
 * not for long texts. The largest job, 10,000 rows with own settings and passed columns, is within all of them.
 */
const MOST = { depth: 100, listsAndObjects: 200_000, names: 400_000, values: 1_000_000, namesPerObject: 1_000 };

/** About a millisecond. */
const BYTES_PER_TURN = 512 * 1024;

const [QUOTE, BACKSLASH, COMMA, COLON] = [0x22, 0x5c, 0x2c, 0x3a];
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x5b, 0x5d, 0x7b, 0x7d];

/** Counts without parsing, in slices. Throws ClipmillError "too_large" above a limit. */
export async function requireParsable(json: Uint8Array): Promise<void> {
  const count = { listsAndObjects: 0, names: 0, values: 1 };
  /** Names in each open list or object. */
  const open: number[] = [];
  let isInText = false;
  let turnEnds = BYTES_PER_TURN;
  for (let at = 0; at < json.length; at++) {
    if (at >= turnEnds) {
      await nextTurn();
      turnEnds = at + BYTES_PER_TURN;
    }
    if (isInText) {
      at = json.indexOf(QUOTE, at);
      if (at === -1) return;
      isInText = isEscaped(json, at);
      continue;
    }
    switch (json[at]!) {
      case QUOTE:
        isInText = true;
        break;
      case COMMA:
        requireAtMost("values", ++count.values);
        break;
      case COLON:
        requireAtMost("names", ++count.names);
        if (open.length > 0) requireAtMost("namesPerObject", ++open[open.length - 1]!);
        break;
      case OPEN_LIST:
      case OPEN_OBJECT:
        requireAtMost("listsAndObjects", ++count.listsAndObjects);
        requireAtMost("depth", open.push(0));
        break;
      case CLOSE_LIST:
      case CLOSE_OBJECT:
        open.pop();
    }
  }
}

function isEscaped(json: Uint8Array, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === BACKSLASH) backslashes++;
  return backslashes % 2 === 1;
}

const NAMES: Record<keyof typeof MOST, string> = {
  depth: "levels of nested lists and objects",
  listsAndObjects: "lists and objects",
  names: "fields",
  values: "values",
  namesPerObject: "fields in one object",
};

function requireAtMost(limit: keyof typeof MOST, count: number): void {
  if (count <= MOST[limit]) return;
  throw new ClipmillError(
    "too_large",
    `The request has more than ${MOST[limit].toLocaleString("en")} ${NAMES[limit]}.`,
  );
}
