import { sql } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/server.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

it("signs in with a whole session, whatever the case of the address", async () => {
  const client = server.newClient();
  const { data, error } = await client.auth.signInWithPassword({
    ...TEST_ACCOUNT,
    email: ` ${TEST_ACCOUNT.email.toUpperCase()} `,
  });
  expect(error).toBeNull();
  expect(data.session).toMatchObject({ token_type: "bearer", expires_in: 3600 });
  expect(data.user).toMatchObject({ email: TEST_ACCOUNT.email, role: "authenticated", is_anonymous: false });
  expect((await client.auth.getUser()).data.user?.id).toBe(data.user!.id);
  const { data: claims } = await client.auth.getClaims();
  expect(claims?.claims).toMatchObject({ sub: data.user!.id, aal: "aal1", aud: "authenticated" });
});
