import type { Context } from "hono";
import { z } from "zod";
import { AuthError } from "#operations/accounts/auth-error.ts";
import type { PublicError } from "../requests/error-response.ts";
import { readJson } from "../requests/read-json.ts";
import type { ServerContext, ServerEnv } from "../server-context.ts";
import { isHttpsRequest } from "./sessions/refresh-cookie.ts";

const MAX_SECRET = 1_000;
const MAX_TEXT = 500;
const MAX_NAME = 50;

/** Compared or hashed, never stored as is. */
export const secret = z.string().min(1).max(MAX_SECRET);
/** May be stored (no NUL) and put into a URL (no lone surrogates). */
export const text = z
  .string()
  .max(MAX_TEXT)
  .regex(/^\P{Cc}*$/u)
  .refine((value) => value.isWellFormed());
export const name = text.max(MAX_NAME);
export const email = z.string().min(1).max(MAX_TEXT);

/** Throws AuthError "validation_failed" with `sentence`. */
export async function readBody<Schema extends z.ZodType>(
  c: Context,
  schema: Schema,
  sentence: string,
): Promise<z.output<Schema>> {
  return checkInput(schema, await readJson(c), sentence);
}

/** Throws AuthError "validation_failed" with `sentence`. */
export function checkInput<Schema extends z.ZodType>(
  schema: Schema,
  input: unknown,
  sentence: string,
): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (!parsed.success) throw new AuthError("validation_failed", sentence);
  return parsed.data;
}

const API_VERSION = "2024-01-01";
const CODES: Record<string, string> = { invalid: "validation_failed", unauthorized: "no_authorization" };

/** The client's version header selects the format. */
export function authErrorBody(error: PublicError, c: Context<ServerEnv>): Response {
  const code = CODES[error.code] ?? error.code;
  // 400 at the token endpoint, where no session exists yet.
  const status = error.status === 403 && c.req.path.endsWith("/token") ? 400 : error.status;
  // Length is the only rule for passwords.
  const weakness = code === "weak_password" ? { weak_password: { reasons: ["length"] } } : {};
  if (c.req.header("x-supabase-api-version") === API_VERSION) {
    c.header("X-Supabase-Api-Version", API_VERSION);
    return c.json({ code, message: error.sentence, ...weakness }, status);
  }
  return c.json({ code: status, error_code: code, msg: error.sentence, ...weakness }, status);
}

// Mail links carry the session, so they redirect only to Clipmill's own pages.

const MAX_TARGET = 2_000;

export function redirectOfMail(server: ServerContext, c: Context<ServerEnv>): string | null {
  return server.publicUrl ? ownPage(c.req.query("redirect_to"), server.publicUrl) : null;
}

/** Returns the requested page if it is below the public URL or the request's own address, else the first page. */
export function redirectOfLink(server: ServerContext, c: Context<ServerEnv>): string {
  const requested = c.req.query("redirect_to");
  const currentBase = `${isHttpsRequest(server, c) ? "https" : "http"}://${c.req.header("host") ?? "localhost"}`;
  const bases = server.publicUrl ? [server.publicUrl, currentBase] : [currentBase];
  for (const base of bases) {
    const page = ownPage(requested, base);
    if (page) return page;
  }
  return `${server.publicUrl ?? ""}/`;
}

/** With the error in the fragment, where the sign-in form reads it. */
export function redirectWithError(c: Context<ServerEnv>, page: string, { code, message }: AuthError): Response {
  const shown = { error: "access_denied", error_code: code, error_description: message };
  return c.redirect(`${page}#${new URLSearchParams(shown)}`, 303);
}

function ownPage(requested: string | undefined, base: string): string | null {
  const own = URL.parse(`${base}/`);
  const target = own && requested && requested.length <= MAX_TARGET ? URL.parse(requested, own) : null;
  if (!target) return null;
  target.hash = "";
  // With the base's trailing slash, this rejects "//elsewhere", "\\elsewhere" and "user@elsewhere".
  return target.href.startsWith(own!.href) ? target.href : null;
}
