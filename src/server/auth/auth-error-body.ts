import type { Context } from "hono";
import type { Fault } from "../requests/error-response.ts";
import type { ServerEnv } from "../server-context.ts";

const API_VERSION = "2024-01-01";
/** The protocol's own codes for what happens to every kind of request. */
const CODES: Record<string, string> = { invalid: "validation_failed", unauthorized: "no_authorization" };

/** Both forms of the protocol's errors: the client says by a header which one it reads. */
export function authErrorBody(fault: Fault, c: Context<ServerEnv>): Response {
  const code = CODES[fault.code] ?? fault.code;
  // Without a session there is nothing to forbid: at the token endpoint a refusal is a bad request.
  const status = fault.status === 403 && c.req.path.endsWith("/token") ? 400 : fault.status;
  // Too short is the one weakness that is looked for.
  const weakness = code === "weak_password" ? { weak_password: { reasons: ["length"] } } : {};
  if (c.req.header("x-supabase-api-version") === API_VERSION) {
    c.header("X-Supabase-Api-Version", API_VERSION);
    return c.json({ code, message: fault.sentence, ...weakness }, status);
  }
  return c.json({ code: status, error_code: code, msg: fault.sentence, ...weakness }, status);
}
