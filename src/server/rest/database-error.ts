import type { ContentfulStatusCode } from "hono/utils/http-status";
import { ClipmillError } from "#contract/errors.ts";
import { RestError } from "./rest-error.ts";

/** By class of PostgreSQL's code: invalid values and constraint violations. Everything else is a server error. */
const STATUS_OF_CLASS: Record<string, ContentfulStatusCode> = { "22": 400, "23": 409 };

/** Returns null if the error is not a refusal by a table. */
export function toRestError(error: unknown): RestError | null {
  if (error instanceof RestError) return error;
  if (error instanceof ClipmillError || !(error instanceof Error)) return null;
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  const status = /^[0-9A-Z]{5}$/.test(code) ? STATUS_OF_CLASS[code.slice(0, 2)] : undefined;
  return status ? new RestError(status, code, error.message) : null;
}
