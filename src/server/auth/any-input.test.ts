import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it, describe } from "vitest";
import { isFullRun } from "#tests/support/faults/fault-rounds.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";

let server: TestServer;
let accessToken: string;

const NO_ID = "00000000-0000-4000-8000-000000000000";
const CALLS = [
  "POST token?grant_type=password",
  "POST token?grant_type=refresh_token",
  "POST token?grant_type=pkce",
  "POST token",
  "PUT user",
  "POST signup",
  "POST recover",
  "POST otp",
  "POST verify",
  "GET verify",
  "POST resend",
  "POST factors",
  `POST factors/${NO_ID}/challenge`,
  `POST factors/${NO_ID}/verify`,
  `DELETE factors/${NO_ID}`,
  "DELETE factors/none",
  "POST nothing",
];

const oddText = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.constantFrom(
    "\0",
    "a\0b@c",
    "\ud800",
    "😀".repeat(300),
    "漢".repeat(50),
    "x".repeat(5_000),
    "'; drop table accounts; --",
    "__proto__",
  ),
);
const email = fc.oneof(
  oddText,
  oddText.map((text) => `${text}@clipmill.local`),
  fc.constant(TEST_ACCOUNT.email),
);
const field = fc.oneof({ weight: 4, arbitrary: oddText }, { weight: 1, arbitrary: fc.jsonValue() });
const body = fc
  .oneof(
    fc.record(
      {
        email: fc.oneof(email, fc.jsonValue()),
        password: field,
        current_password: field,
        nonce: field,
        data: fc.oneof(fc.dictionary(oddText, fc.oneof(oddText, fc.double(), fc.constant(null))), fc.jsonValue()),
        refresh_token: field,
        auth_code: field,
        code_verifier: field,
        type: fc.oneof(fc.constantFrom("signup", "recovery", "magiclink", "email", "email_change"), field),
        token: field,
        token_hash: field,
        phone: field,
        factor_type: fc.oneof(fc.constant("totp"), field),
        friendly_name: field,
        issuer: field,
        challenge_id: fc.oneof(fc.uuid(), field),
        code: fc.oneof(fc.constant("123456"), field),
      },
      { requiredKeys: [] },
    ),
    fc.jsonValue(),
  )
  .map((value) => JSON.stringify(value));
const raw = fc.oneof({ weight: 8, arbitrary: body }, { weight: 1, arbitrary: oddText });

describe("the sign-in protocol", () => {
  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase, allowSignup: true });
    accessToken = (await server.client.auth.getSession()).data.session!.access_token;
  });
  afterAll(() => server.close());

  it("never returns a server error for any input", { timeout: 240_000 }, async () => {
    let address = 0;
    const request = fc.record({
      call: fc.constantFrom(...CALLS),
      body: raw,
      query: fc.record({ redirect_to: oddText, token: oddText, type: fc.constantFrom("recovery", "none") }),
      isSignedIn: fc.boolean(),
    });
    const property = fc.asyncProperty(request, async ({ call, body, query, isSignedIn }) => {
      const [method, path] = call.split(" ") as [string, string];
      const url = new URL(`${server.url}/auth/v1/${path}`);
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
      address += 1;
      const response = await fetch(url, {
        method,
        redirect: "manual",
        headers: {
          "content-type": "application/json",
          // Separate addresses keep the throttle out of this test.
          "x-forwarded-for": `192.0.${address >> 8}.${address & 255}`,
          ...(isSignedIn && { authorization: `Bearer ${accessToken}` }),
        },
        ...(method !== "GET" && { body }),
      });
      expect(response.status).toBeLessThan(500);
      const sentence = response.status < 400 ? "fine" : ((await response.json()) as { msg: string }).msg;
      expect(sentence).toMatch(/^\P{Cc}+$/u);
      expect(sentence).not.toMatch(/\bat \S+:\d+|node_modules|select|insert/);
    });
    await fc.assert(property, { numRuns: isFullRun ? 400 : 100, endOnFailure: true });
  });
});
