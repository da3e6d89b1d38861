import { type Context, Hono } from "hono";
import { z } from "zod";
import { emailSchema } from "#operations/accounts/account.ts";
import { AuthError } from "#operations/accounts/auth-error.ts";
import type { MailPurpose } from "#operations/accounts/mail/mail-token.ts";
import { MAIL_TYPES, redeemMail } from "#operations/accounts/mail/redeem-mail.ts";
import { sendLink } from "#operations/accounts/mail/send-link.ts";
import { clientAddress } from "../../requests/client-address.ts";
import type { ServerContext, ServerEnv } from "../../server-context.ts";
import { respondWithSession, deliverRefreshToken } from "../sessions/refresh-cookie.ts";
import {
  checkInput,
  email,
  readBody,
  secret,
  redirectOfLink,
  redirectOfMail,
  redirectWithError,
} from "../auth-input.ts";
import { requireOperator } from "../require-operator.ts";
import { toSessionBody } from "../sessions/session-body.ts";

const INVALID_PROOF = "The link or code is not valid.";

const addressSchema = z.object({ email: emailSchema });
const phoneSchema = z.object({ phone: z.string() });
const resendSchema = z.object({ email: emailSchema, type: z.enum(["signup", "email_change"]) });
const proofSchema = z.union([
  z.object({ type: z.enum(MAIL_TYPES), token_hash: secret }),
  z.object({ type: z.enum(MAIL_TYPES), email, token: secret }),
]);
const linkSchema = z.object({ type: z.enum(MAIL_TYPES), token: secret });

/** PROTOCOL 1.1. Sending returns {} whether or not the account exists. */
export function addMailRoutes(app: Hono<ServerEnv>, server: ServerContext): void {
  app.post("/recover", async (c) => {
    const { email } = await readBody(c, addressSchema, "Enter a valid email address.");
    return mail(server, c, "recovery", email);
  });

  app.post("/otp", async (c) => {
    const body = await readBody(c, z.union([addressSchema, phoneSchema]), "Enter a valid email address.");
    if (!("email" in body)) throw new AuthError("phone_provider_disabled", "Signing in by phone is not supported.");
    return mail(server, c, "magiclink", body.email);
  });

  app.post("/resend", async (c) => {
    const { email, type } = await readBody(c, resendSchema, "Specify the type of email and the email address.");
    return mail(server, c, type, email);
  });

  app.get("/reauthenticate", requireOperator(server), (c) =>
    mail(server, c, "reauthentication", c.get("operator").account.email, true),
  );

  app.post("/verify", async (c) => {
    const proof = await readBody(c, proofSchema, INVALID_PROOF);
    const { type } = proof;
    const shown =
      "token_hash" in proof
        ? { type, token: proof.token_hash }
        : { type, email: proof.email, code: proof.token, address: clientAddress(c) };
    return respondWithSession(server, c, await redeemMail(server, shown, c.req.header("user-agent") ?? null));
  });

  app.route("/verify", openLink(server));
}

async function mail(
  server: ServerContext,
  c: Context<ServerEnv>,
  purpose: MailPurpose,
  email: string,
  isOwn = false,
): Promise<Response> {
  await sendLink(server, { purpose, email, address: clientAddress(c), redirectTo: redirectOfMail(server, c), isOwn });
  return c.json({});
}

/** Redirects to our page, with the session or the error in the fragment. */
function openLink(server: ServerContext): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.onError((error, c) => {
    if (!(error instanceof AuthError)) throw error;
    return redirectWithError(c, redirectOfLink(server, c), error);
  });
  app.get("/", async (c) => {
    // Mail scanners open links with HEAD first, which must not use them up.
    if (c.req.method === "HEAD") return c.body(null, 200);
    const { type, token } = checkInput(linkSchema, c.req.query(), INVALID_PROOF);
    const signedIn = await redeemMail(server, { type, token }, c.req.header("user-agent") ?? null);
    c.set("operator", { account: signedIn.account, sessionId: signedIn.sessionId });
    const refreshToken = deliverRefreshToken(server, c, signedIn.refreshToken);
    const session = await toSessionBody(server.accessTokens, signedIn, refreshToken);
    const fragment = new URLSearchParams({
      access_token: session.access_token,
      refresh_token: session.refresh_token,
      expires_in: String(session.expires_in),
      expires_at: String(session.expires_at),
      token_type: session.token_type,
      type,
    });
    return c.redirect(`${redirectOfLink(server, c)}#${fragment}`, 303);
  });
  return app;
}
