import type { SupabaseClient } from "@supabase/supabase-js";
import { sql } from "kysely";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, expect, it, describe } from "vitest";
import { createAccount } from "#operations/accounts/create-account.ts";
import { createCodeHasher, issueMailToken } from "#operations/accounts/mail/mail-token.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const PASSWORD = "correct horse battery";
const STEP_MS = 30_000;

let server: TestServer;
let accounts = 0;
let email: string;

async function signIn(): Promise<SupabaseClient> {
  const client = server.newClient();
  expect((await client.auth.signInWithPassword({ email, password: PASSWORD })).error).toBeNull();
  return client;
}

/** Returns the app's current code, or one `steps` of 30 s away. */
function codeOf(secret: string, steps = 0): string {
  return new TOTP({ secret }).generate({ timestamp: Date.now() + steps * STEP_MS });
}

async function forgetUsedCodes(): Promise<void> {
  await sql`update factors set last_counter = 0`.execute(server.context.db);
}

async function enroll(client: SupabaseClient) {
  const { data, error } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "Phone" });
  if (error) throw error;
  const { id: factorId, totp } = data;
  const code = codeOf(totp.secret);
  const verified = await client.auth.mfa.challengeAndVerify({ factorId, code });
  expect(verified.error).toBeNull();
  return { factorId, secret: totp.secret, code };
}

async function accessTokenOf(client: SupabaseClient): Promise<string> {
  return (await client.auth.getSession()).data.session!.access_token;
}

async function call(token: string, method: string, path: string, body?: unknown) {
  const response = await fetch(server.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json().catch(() => ({}))) as { error_code?: string } };
}

describe("the second step", () => {
  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
  });
  afterAll(() => server.close());
  beforeEach(async () => {
    accounts += 1;
    email = `stepper${accounts}@clipmill.local`;
    await createAccount(server.context, { email, password: PASSWORD });
  });

  // spec 7.23
  it("is set up with a QR code and a secret, and then required at each sign-in", async () => {
    const client = await signIn();
    const { data } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "Phone", issuer: "Clips" });
    const { id: factorId, totp } = data!;
    expect(totp.qr_code).toMatch(/^data:image\/svg\+xml;utf-8,<svg /);
    // An unescaped # would end a data URL.
    expect(totp.qr_code).not.toContain("#");
    expect(totp.uri).toMatch(/^otpauth:\/\/totp\/Clips:stepper/);
    expect(Secret.fromBase32(totp.secret).bytes).toHaveLength(20);
    expect((await client.auth.mfa.listFactors()).data).toMatchObject({
      all: [{ id: factorId, friendly_name: "Phone", factor_type: "totp", status: "unverified" }],
      totp: [],
    });
    // An unverified factor is not required yet.
    expect((await (await signIn()).from("jobs").select("id")).error).toBeNull();

    const events: string[] = [];
    client.auth.onAuthStateChange((event) => events.push(event));
    const { data: challenge } = await client.auth.mfa.challenge({ factorId });
    expect(challenge!.expires_at).toBeGreaterThan(Date.now() / 1000);
    const challengeId = challenge!.id;
    const { error } = await client.auth.mfa.verify({ factorId, challengeId, code: codeOf(totp.secret) });
    expect(error).toBeNull();
    expect(events).toContain("MFA_CHALLENGE_VERIFIED");
    expect((await client.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: "aal2",
      nextLevel: "aal2",
      currentAuthenticationMethods: [{ method: "password" }, { method: "totp" }],
    });
    expect((await client.from("jobs").select("id")).error).toBeNull();
    expect((await client.auth.refreshSession()).error).toBeNull();
    expect((await client.from("jobs").select("id")).error).toBeNull();

    const next = await signIn();
    expect((await next.auth.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: "aal1",
      nextLevel: "aal2",
    });
    await forgetUsedCodes();
    await next.auth.mfa.challengeAndVerify({ factorId, code: codeOf(totp.secret) });
    expect((await next.from("jobs").select("id")).error).toBeNull();
  });

  it("requires the current password to be set up in an old session", async () => {
    const token = await accessTokenOf(await signIn());
    await sql`update sessions set created_at = now() - interval '1 day'`.execute(server.context.db);
    const enrol = (proof: object) => call(token, "POST", "/auth/v1/factors", { factor_type: "totp", ...proof });
    expect((await enrol({})).body.error_code).toBe("reauthentication_needed");
    expect((await enrol({ current_password: "wrong" })).body.error_code).toBe("invalid_credentials");
    expect((await enrol({ nonce: "123456" })).body.error_code).toBe("reauthentication_not_valid");
    const before = await server.context.db.selectFrom("factors").select("id").execute();
    expect((await enrol({ current_password: PASSWORD })).status).toBe(200);
    expect(await server.context.db.selectFrom("factors").select("id").execute()).toHaveLength(before.length + 1);
  });

  it("is required for everything except itself, the account and signing out", async () => {
    const { factorId } = await enroll(await signIn());
    const client = await signIn();
    const token = await accessTokenOf(client);
    for (const [method, path] of [
      ["GET", "/rest/v1/jobs"],
      ["POST", "/functions/v1/jobs"],
      ["POST", "/functions/v1/settings"],
    ] as const) {
      expect([path, (await call(token, method, path, method === "POST" ? {} : undefined)).status]).toEqual([path, 401]);
    }
    for (const [method, path] of [
      ["PUT", "/auth/v1/user"],
      ["GET", "/auth/v1/reauthenticate"],
      ["POST", "/auth/v1/factors"],
      ["DELETE", `/auth/v1/factors/${factorId}`],
    ] as const) {
      const { status, body } = await call(token, method, path, method === "GET" ? undefined : {});
      expect([path, status, body.error_code]).toEqual([path, 403, "insufficient_aal"]);
    }
    const states: string[] = [];
    client
      .channel("changes")
      .on("postgres_changes", { event: "*", schema: "public", table: "jobs" }, () => {})
      .subscribe((state) => states.push(state));
    await expect.poll(() => states).toContain("CHANNEL_ERROR");
    await client.removeAllChannels();
    expect((await client.auth.getUser()).error).toBeNull();
    expect((await client.auth.signOut()).error).toBeNull();
    expect((await call(token, "GET", "/auth/v1/user")).status).toBe(403);
  });

  it("does not upgrade tokens issued before it", async () => {
    const { factorId, secret } = await enroll(await signIn());
    await forgetUsedCodes();
    const client = await signIn();
    const before = await accessTokenOf(client);
    await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) });
    expect((await client.from("jobs").select("id")).error).toBeNull();
    expect((await call(before, "GET", "/rest/v1/jobs")).status).toBe(401);
  });

  it("ends sessions without it when it is enabled", async () => {
    const before = await signIn();
    await enroll(await signIn());
    expect((await before.auth.getUser()).error?.name).toBe("AuthSessionMissingError");
  });

  it("accepts a code once, only of the current time step or an adjacent one", async () => {
    const { factorId, secret, code: used } = await enroll(await signIn());
    const client = await signIn();
    const again = await client.auth.mfa.challengeAndVerify({ factorId, code: used });
    expect(again.error).toMatchObject({ status: 422, code: "mfa_verification_failed" });
    await forgetUsedCodes();
    const verify = (code: string) => client.auth.mfa.challengeAndVerify({ factorId, code });
    for (const steps of [-3, 3]) {
      expect((await verify(codeOf(secret, steps))).error?.code).toBe("mfa_verification_failed");
    }
    for (const code of ["12345", "1234567", "abcdef", " ", "０００００００"]) {
      expect((await verify(code)).error?.code).toBe("mfa_verification_failed");
    }
    expect((await verify(codeOf(secret))).error).toBeNull();
  });

  it("accepts a code only once even for two requests at the same time", async () => {
    const { factorId, secret } = await enroll(await signIn());
    await forgetUsedCodes();
    const [one, two] = [await signIn(), await signIn()];
    const code = codeOf(secret);
    const results = await Promise.all(
      [one, two].map((client) => client.auth.mfa.challengeAndVerify({ factorId, code })),
    );
    expect(results.filter((result) => result.error === null)).toHaveLength(1);
  });

  it("requires a recent, unused challenge of the same factor", async () => {
    const client = await signIn();
    const { factorId, secret } = await enroll(client);
    await forgetUsedCodes();
    const code = codeOf(secret);
    const { data: challenge } = await client.auth.mfa.challenge({ factorId });
    await sql`update factor_challenges set expires_at = now() - interval '1 second'`.execute(server.context.db);
    const late = await client.auth.mfa.verify({ factorId, challengeId: challenge!.id, code });
    expect(late.error).toMatchObject({ status: 422, code: "mfa_challenge_expired" });
    const stranger = await server.client.auth.mfa.challenge({ factorId });
    expect(stranger.error).toMatchObject({ status: 404, code: "mfa_factor_not_found" });
  });

  it("is throttled after ten wrong codes", async () => {
    const { factorId } = await enroll(await signIn());
    const client = await signIn();
    for (let tries = 0; tries < 10; tries += 1) {
      expect((await client.auth.mfa.challengeAndVerify({ factorId, code: "1" })).error?.status).toBe(422);
    }
    const { error } = await client.auth.mfa.challengeAndVerify({ factorId, code: "1" });
    expect(error).toMatchObject({ status: 429, code: "over_request_rate_limit" });
  });

  it("can be removed, and earlier verifications do not count for the next one", async () => {
    const client = await signIn();
    const { factorId } = await enroll(client);
    const { data } = await client.auth.mfa.unenroll({ factorId });
    expect(data).toEqual({ id: factorId });
    expect((await (await signIn()).from("jobs").select("id")).error).toBeNull();
    const token = await accessTokenOf(client);
    await enroll(await signIn());
    expect((await call(token, "GET", "/rest/v1/jobs")).status).toBe(401);
  });

  it("seals its secret, keeps names unique, and allows one enrollment at a time", async () => {
    const client = await signIn();
    const { secret } = await enroll(client);
    const { rows } = await sql<{ all: string }>`select string_agg(factors::text, ' ') as all from factors`.execute(
      server.context.db,
    );
    expect(rows[0]!.all).not.toContain(secret);
    const enrolled = (friendlyName: string) => client.auth.mfa.enroll({ factorType: "totp", friendlyName });
    expect((await enrolled("Phone")).error).toMatchObject({ status: 422, code: "mfa_factor_name_conflict" });
    await enrolled("Tablet");
    await enrolled("Key");
    const names = (await client.auth.mfa.listFactors()).data!.all.map((factor) => factor.friendly_name);
    expect(names).toEqual(["Phone", "Key"]);
    const byPhone = await client.auth.mfa.enroll({ factorType: "phone", phone: "+15550100" });
    expect(byPhone.error?.code).toBe("mfa_phone_enroll_not_enabled");
  });

  it("is required for a new password, also after a recovery mail", async () => {
    const owner = await signIn();
    const { factorId, secret } = await enroll(owner);
    await forgetUsedCodes();
    const { id: accountId } = (await owner.auth.getUser()).data.user!;
    const recipient = { accountId, purpose: "recovery", email, passwordHash: null } as const;
    const { token } = await issueMailToken(server.context.db, createCodeHasher("any secret"), recipient);
    const client = server.newClient();
    expect((await client.auth.verifyOtp({ token_hash: token, type: "recovery" })).error).toBeNull();
    const change = { password: "a new password" };
    expect((await client.auth.updateUser(change)).error).toMatchObject({ status: 403, code: "insufficient_aal" });
    await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(secret) });
    expect((await client.auth.updateUser(change)).error).toBeNull();
    expect((await client.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: "otp" }, { method: "totp" }]);
  });

  it("keeps the browser's other tab signed in", async () => {
    const client = await signIn();
    const { refresh_token: before } = (await client.auth.getSession()).data.session!;
    await enroll(client);
    const { refresh_token: after } = (await client.auth.getSession()).data.session!;
    const otherTab = server.newClient();
    const { data } = await otherTab.auth.refreshSession({ refresh_token: before });
    expect(data.session?.refresh_token).toBe(after);
    expect((await otherTab.from("jobs").select("id")).error).toBeNull();
  });
});
