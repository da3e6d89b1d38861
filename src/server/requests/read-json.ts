import type { Context } from "hono";
import { bodyLimit } from "hono/body-limit";
import { z } from "zod";
import { ClipmillError } from "#contract/errors.ts";
import type { ServerEnv } from "../server-context.ts";

/** Rejects larger bodies before reading them completely. */
export function limitBody(megabytes: number) {
  return bodyLimit({
    maxSize: megabytes * 1024 * 1024,
    onError: (c) => {
      // Closes the connection instead of reading the rest.
      c.header("Connection", "close");
      throw new ClipmillError("too_large", `The request is larger than ${megabytes} MB.`);
    },
  });
}

const recordSchema = z.record(z.string(), z.unknown());

/** {} if empty. Throws ClipmillError "invalid", or "forbidden" for an API token. */
export async function readJson(c: Context<ServerEnv>): Promise<Record<string, unknown>> {
  const parsed = recordSchema.safeParse(await readJsonValue(c));
  if (!parsed.success) throw new ClipmillError("invalid", "The request must be a JSON object.");
  c.get("checkBody")?.(parsed.data);
  return parsed.data;
}

/** {} if empty. Throws ClipmillError "invalid". */
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
