import type { Context } from "hono";
import type { Fault } from "../requests/error-response.ts";
import type { ServerEnv } from "../server-context.ts";

const API_VERSION = "2024-01-01";
const CODES: Record<string, string> = { invalid: "validation_failed", unauthorized: "no_authorization" };

/** The client's version header selects the format. */
export function authErrorBody(fault: Fault, c: Context<ServerEnv>): Response {
  const code = CODES[fault.code] ?? fault.code;
  // 400 at the token endpoint, where no session exists yet.
  const status = fault.status === 403 && c.req.path.endsWith("/token") ? 400 : fault.status;
  // Length is the only rule for passwords.
  const weakness = code === "weak_password" ? { weak_password: { reasons: ["length"] } } : {};
  if (c.req.header("x-supabase-api-version") === API_VERSION) {
    c.header("X-Supabase-Api-Version", API_VERSION);
    return c.json({ code, message: fault.sentence, ...weakness }, status);
  }
  return c.json({ code: status, error_code: code, msg: fault.sentence, ...weakness }, status);
}
