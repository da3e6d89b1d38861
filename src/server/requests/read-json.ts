import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";

/** Refuses a body of more than `megabytes` before it is read whole. */
export function limitBody(megabytes: number) {
  return bodyLimit({
    maxSize: megabytes * 1024 * 1024,
    onError: (c) => {
      // What is still on its way is not waited for.
      c.header("Connection", "close");
      throw new ClipmillError("too_large", `The request is larger than ${megabytes} MB.`);
    },
  });
}

const recordSchema = z.record(z.string(), z.unknown());

/** The body as a JSON object; no body is an empty one. Throws ClipmillError "invalid". */
export async function readJson(c: Context): Promise<Record<string, unknown>> {
  const parsed = recordSchema.safeParse(await readJsonValue(c));
  if (!parsed.success) throw new ClipmillError("invalid", "The request must be a JSON object.");
  return parsed.data;
}

/** The body as JSON of any kind; no body is an empty object. Throws ClipmillError "invalid". */
export async function readJsonValue(c: Context): Promise<unknown> {
  const text = await c.req.text();
  if (text.trim() === "") return {};
  return parseJson(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ClipmillError("invalid", "The request is not valid JSON.", { cause });
  }
}
