import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

let server: TestServer;
let domainId: string;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  const { db } = server.context;
  await db.deleteFrom("domains").execute();
  const domain = await db.insertInto("domains").values({ name: "shop.test", notes: null }).returning("id").execute();
  domainId = domain[0]!.id;
});

async function addRoute(slug: string, primary: string): Promise<string> {
  const row = { domain_id: domainId, slug, primary_url: primary };
  const { data, error } = await server.client.from("routes").insert(row).select("id").single<{ id: string }>();
  if (error) throw new Error(error.message);
  return data.id;
}

it.each([
  [{ primary_url: "javascript:alert(1)" }, "Primary URL must start with http:// or https://"],
  [{ primary_url: "/relative" }, "Primary URL must start with http:// or https://"],
  [{ primary_url: "//target.test/" }, "Primary URL must start with http:// or https://"],
  [{ primary_url: "http://" }, "Primary URL must start with http:// or https://"],
  [{ primary_url: "https://a.test/".padEnd(2_001, "x") }, "URLs can have at most 2000 characters"],
  [{ fallback_url: "javascript:alert(1)" }, "Fallback URL must start with http:// or https://"],
  [{ fallback_url: "relative" }, "Fallback URL must start with http:// or https://"],
  [{ slug: "x".repeat(2_000) }, "Slugs can have at most 500 characters"],
  [{ slug: "../admin" }, "Slugs can't have a segment of only dots, because browsers remove it"],
  [{ slug: "a/%2e%2e/b" }, "Slugs can't have a segment of only dots, because browsers remove it"],
  [{ slug: "." }, "Slugs can't have a segment of only dots, because browsers remove it"],
  [{ slug: "a b" }, "Slugs can't contain spaces, question marks or hash signs"],
  [{ slug: "a?b" }, "Slugs can't contain spaces, question marks or hash signs"],
  [{ slug: "a#b" }, "Slugs can't contain spaces, question marks or hash signs"],
  [{ slug: "_clipmill/publish" }, "Slugs that start with _clipmill are reserved"],
  [{ slug: "///" }, "Enter a slug"],
  [
    { slug: "me", primary_url: "https://shop.test/me" },
    "The Primary URL is this route's own address. Choose another destination.",
  ],
  [
    { slug: "me", primary_url: "http://Shop.test/me/?x" },
    "The Primary URL is this route's own address. Choose another destination.",
  ],
  [
    { slug: "me", fallback_url: "https://shop.test/me" },
    "The Fallback URL is this route's own address. Choose another destination.",
  ],
  [
    { slug: "__root__", primary_url: "https://shop.test" },
    "The Primary URL is this route's own address. Choose another destination.",
  ],
])("rejects an invalid route with one sentence, both on create and on update (case %#)", async (more, sentence) => {
  const row = { domain_id: domainId, slug: "x", primary_url: "https://one.test/", ...more };
  const added = await server.client.from("routes").insert(row);
  expect([added.status, added.error?.message]).toEqual([400, sentence]);
  const id = await addRoute("sound", "https://one.test/");
  const { domain_id: _, ...changes } = row;
  const changed = await server.client.from("routes").update(changes).eq("id", id);
  expect([changed.status, changed.error?.message]).toEqual([400, sentence]);
});

it("rejects a route whose slug exists, regardless of slashes around it", async () => {
  await addRoute("twice", "https://one.test/");
  for (const slug of ["twice", "/twice", "twice/", "twice//"]) {
    const { status, error } = await server.client
      .from("routes")
      .insert({ domain_id: domainId, slug, primary_url: "https://two.test/" });
    expect([slug, status, error?.message]).toEqual([slug, 409, "This domain already has a route with this slug."]);
  }
});

it("lets an operator deactivate or rename two old routes that share an address", async () => {
  const rows = ["twin", "twin/"].map((slug) => ({ domain_id: domainId, slug, primary_url: "https://one.test/" }));
  const { db } = server.context;
  const [first, second] = await db.insertInto("routes").values(rows).returning("id").execute();
  const change = (id: string, changes: object) => server.client.from("routes").update(changes).eq("id", id);
  expect((await change(first!.id, { active: false })).error).toBeNull();
  expect((await change(second!.id, { slug: "single" })).error).toBeNull();
  const again = await change(second!.id, { slug: "twin//" });
  expect([again.status, again.error?.message]).toEqual([409, "This domain already has a route with this slug."]);
});
