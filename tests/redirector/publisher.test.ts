import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { CloakStateResponse, EnvironmentCheck, PublishResult } from "#contract/cloak/cloak.ts";
import { collectReport } from "#operations/cloak/publishing/collect-report.ts";
import type { RedirectorSettings } from "#operations/cloak/publishing/publish-config.ts";
import { recordAcceptedVersion } from "#operations/cloak/publishing/settle-versions.ts";
import { daysAgo } from "#operations/cloak/read-cloak-state.ts";
import { startCuttingProxy } from "#tests/support/faults/cutting-proxy.ts";
import { startLateProxy } from "#tests/support/faults/late-proxy.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { type RedirectorProcess, startRedirectorProcess, TOKEN, visit } from "#tests/support/twins/redirector.ts";
import { mountSmallDisk, unmountSmallDisk } from "#tests/support/faults/machine/small-disk.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { startTestServer, TEST_ACCOUNT, type TestServer } from "#tests/support/servers/server.ts";

const scratch = await makeScratchFolder();
let folder: string;
let server: TestServer;
let redirector: RedirectorProcess;
/** The server reads these settings on every call, so tests can change them. */
const settings: RedirectorSettings = { syncUrl: null, token: null, builtInUrl: null };
let domainId: string;

async function call<Result>(name: string, body: object = {}): Promise<Result> {
  const { data, error } = await server.client.functions.invoke<Result>(name, { body });
  if (error) throw error;
  return data!;
}
const publish = (body: object = {}) => call<PublishResult>("cloak-publisher", body);
const validate = () => call<EnvironmentCheck>("cloak-env-validator");
const state = () => call<CloakStateResponse>("cloak-state", { method: "GET" });

async function counts(): Promise<number[]> {
  const { pendingCount, differences, pending } = await state();
  return [pendingCount, differences, pending.length];
}

async function addDomain(name: string): Promise<string> {
  const { data, error } = await server.client.from("domains").insert({ name }).select("id").single<{ id: string }>();
  if (error) throw error;
  return data.id;
}

async function addRoute(slug: string, primary: string, more: object = {}): Promise<string> {
  const row = { domain_id: domainId, slug, primary_url: primary, ...more };
  const { data, error } = await server.client.from("routes").insert(row).select("id").single<{ id: string }>();
  if (error) throw new Error(error.message);
  return data.id;
}

const where = async (slug: string) => (await visit(redirector, "shop.test", `/${slug}`)).location;
const versionOf = ({ message }: PublishResult) => Number(/^Published version (\d+)/.exec(message ?? "")?.[1]);

/** Requires that the old version is still served and the change still pending. */
async function expectError(sentence: RegExp): Promise<void> {
  const { success, message, error } = await publish();
  expect([success, message, error]).toEqual([false, null, expect.stringMatching(sentence)]);
  expect([await where("a"), await where("b")]).toEqual(["https://before.test/", null]);
  expect((await state()).pendingCount).toBe(1);
}

async function expectRecovery(): Promise<void> {
  Object.assign(settings, { syncUrl: redirector.publishUrl, token: TOKEN });
  expect(await validate()).toEqual({ isValid: true, missing: [], wrongUrl: false, expectedUrl: null, error: null });
  expect(await publish()).toMatchObject({ success: true, error: null });
  expect(await where("b")).toBe("https://after.test/");
}

describe("publishing from the back office", () => {
  beforeAll(async () => {
    folder = path.join(scratch, "publisher");
    server = await startTestServer(undefined, { redirector: settings, openDatabase: openPostgresDatabase });
    redirector = await startRedirectorProcess(folder);
  });
  afterAll(async () => {
    await redirector.stop();
    await server.close();
  });
  beforeEach(async () => {
    Object.assign(settings, { syncUrl: redirector.publishUrl, token: TOKEN });
    await server.context.db.deleteFrom("domains").execute();
    domainId = await addDomain("shop.test");
  });

  describe("a publish", () => {
    // spec 3.13, 4.9.1, 7.13
    it("redirects visitors according to the tables, and lists the pending changes beforehand", async () => {
      const before = await state();
      const id = await addRoute("a", "https://one.test/");
      expect(await where("a")).toBeNull();
      expect(await state()).toMatchObject({
        pendingCount: before.pendingCount + 1,
        pending: expect.arrayContaining([
          { kind: "added", address: "https://shop.test/a", before: null, after: "https://one.test/" },
        ]),
      });
      const first = await publish();
      expect(first).toEqual({
        success: true,
        message: expect.stringMatching(/^Published version \d+ with 1 route\.$/),
        error: null,
      });
      expect(await where("a")).toBe("https://one.test/");
      const after = await state();
      expect(after).toMatchObject({ pendingCount: 0, pending: [], lastPublishedAt: after.versions[0]!.publishedAt });
      expect(after.versions[0]).toEqual({
        version: versionOf(first),
        publishedAt: expect.stringMatching(/^20.*Z$/),
        publishedBy: TEST_ACCOUNT.email,
        routes: 1,
        isCurrent: true,
      });
      await server.client.from("routes").update({ primary_url: "https://two.test/" }).eq("id", id);
      const changed = {
        kind: "changed",
        address: "https://shop.test/a",
        before: "https://one.test/",
        after: "https://two.test/",
      };
      expect((await state()).pending).toEqual([changed]);
      await server.client
        .from("routes")
        .update({ primary_url: "https://one.test/", fallback_url: "https://f.test/" })
        .eq("id", id);
      expect((await state()).pending).toEqual([
        {
          kind: "changed",
          address: "https://shop.test/a",
          before: "https://one.test/ (no fallback)",
          after: "https://one.test/ (fallback: https://f.test/)",
        },
      ]);
      await server.client.from("domains").update({ status: "inactive" }).eq("id", domainId);
      expect((await state()).pending).toEqual([
        { kind: "removed", address: "https://shop.test/a", before: "https://one.test/", after: null },
      ]);
      expect(await publish()).toMatchObject({ success: true, message: expect.stringMatching(/with 0 routes\.$/) });
      expect(await where("a")).toBeNull();
    });

    // spec 4.9.1
    it("counts each change to domains and routes until the next publish, even if visitors see no difference", async () => {
      await publish();
      expect(await counts()).toEqual([0, 0, 0]);
      const { client } = server;
      await addDomain("unused.test");
      expect(await counts()).toEqual([1, 0, 0]);
      const ids = [await addRoute("a", "https://one.test/"), await addRoute("b", "https://one.test/")];
      expect(await counts()).toEqual([3, 2, 2]);
      // Deactivating a domain is one change, even though it affects its routes.
      await client.from("domains").update({ status: "inactive" }).eq("id", domainId);
      expect(await counts()).toEqual([4, 0, 0]);
      await client.from("domains").update({ status: "active", notes: "Back" }).eq("id", domainId);
      await client.from("routes").update({ active: false }).eq("domain_id", domainId);
      await client.from("routes").delete().eq("id", ids[0]!);
      expect(await counts()).toEqual([7, 0, 0]);
      // Rejected calls and calls that match nothing do not count.
      await client.from("routes").delete().eq("id", ids[0]!);
      expect((await client.from("domains").insert({ name: "unused.test" })).error).not.toBeNull();
      expect(await counts()).toEqual([7, 0, 0]);
      settings.token = "a token that the redirector does not know";
      expect((await publish()).success).toBe(false);
      expect(await counts()).toEqual([7, 0, 0]);
      settings.token = TOKEN;
      expect((await publish()).success).toBe(true);
      expect(await counts()).toEqual([0, 0, 0]);
    });

    it("after republishing an earlier version, counts what it lacks and every later change", async () => {
      await addRoute("a", "https://one.test/");
      const old = await publish();
      for (const slug of ["b", "c"]) await addRoute(slug, "https://one.test/");
      await publish();
      expect((await publish({ version: versionOf(old) })).success).toBe(true);
      expect((await state()).pendingCount).toBe(2);
      await addDomain("later.test");
      expect((await state()).pendingCount).toBe(3);
      await publish();
      expect((await state()).pendingCount).toBe(0);
    });

    it("keeps auto-publish waiting after a rollback, until someone changes a route or publishes", async () => {
      await addRoute("a", "https://one.test/");
      const old = versionOf(await publish());
      await addRoute("b", "https://one.test/");
      await publish();
      const isRolledBack = async () => (await state()).isRolledBack;
      expect(await isRolledBack()).toBe(false);
      // A change from before the rollback stays pending, too.
      await addRoute("c", "https://one.test/");
      await publish({ version: old });
      expect(await state()).toMatchObject({ isRolledBack: true, pendingCount: 2 });
      await addRoute("d", "https://one.test/");
      expect(await isRolledBack()).toBe(false);
      await publish({ version: old });
      expect(await isRolledBack()).toBe(true);
      expect((await publish({ version: 1_000_000 })).success).toBe(false);
      expect(await isRolledBack()).toBe(true);
      await publish();
      expect(await isRolledBack()).toBe(false);
    });

    it("republishes an earlier version under a new number without changing the tables", async () => {
      const id = await addRoute("a", "https://old.test/");
      const old = await publish();
      await server.client.from("routes").update({ primary_url: "https://new.test/" }).eq("id", id);
      const current = await publish();
      const again = await publish({ version: versionOf(old) });
      expect(again.message).toBe(
        `Published version ${versionOf(current) + 1} with 1 route from version ${versionOf(old)}.`,
      );
      expect(await where("a")).toBe("https://old.test/");
      // The tables still hold the newer state, which is now pending.
      const { pending, versions } = await state();
      expect(pending).toEqual([
        { kind: "changed", address: "https://shop.test/a", before: "https://old.test/", after: "https://new.test/" },
      ]);
      expect(versions.slice(0, 3).map(({ version, isCurrent }) => [version, isCurrent])).toEqual([
        [versionOf(again), true],
        [versionOf(current), false],
        [versionOf(old), false],
      ]);
      expect(await publish({ version: 1_000_000 })).toEqual({
        success: false,
        message: null,
        error: "Version 1000000 is no longer available.",
      });
    });

    it("keeps the last ten versions", async () => {
      await addRoute("a", "https://one.test/");
      const versions: number[] = [];
      for (let i = 0; i < 12; i += 1) versions.push(versionOf(await publish()));
      expect((await state()).versions.map(({ version }) => version)).toEqual(versions.toReversed().slice(0, 10));
      expect((await publish({ version: versions[0] })).success).toBe(false);
    });

    it("assigns distinct versions to operators who publish at the same time", async () => {
      await addRoute("a", "https://one.test/");
      const results = await Promise.all(Array.from({ length: 6 }, () => publish()));
      const done = results.filter(({ success }) => success).map(versionOf);
      expect(new Set(done).size).toBe(done.length);
      const rejections = results.filter(({ success }) => !success).map(({ error }) => error);
      for (const rejection of rejections) expect(rejection).toMatch(/^The redirector already serves version \d+/);
      const { versions, pendingCount } = await state();
      expect([versions[0]!.version, pendingCount]).toEqual([Math.max(...done), 0]);
    });

    it("shows the newest version as served, even if an earlier publish is recorded after it", async () => {
      await addRoute("a", "https://one.test/");
      const [earlier, newest] = [versionOf(await publish()), versionOf(await publish())];
      await recordAcceptedVersion(server.context.db, earlier);
      const { versions, pendingCount } = await state();
      expect(versions.find(({ isCurrent }) => isCurrent)?.version).toBe(newest);
      expect(pendingCount).toBe(0);
    });

    it("rejects redirect loops with one sentence that names the route, and keeps serving", async () => {
      await addRoute("safe", "https://safe.test/");
      await publish();
      const a = await addRoute("a", "https://shop.test/b");
      await addRoute("b", "http://SHOP.test./c/?x=1", { fallback_url: "https://elsewhere.test/" });
      // A chain with an end is no loop, and neither is another port.
      await addRoute("c", "https://elsewhere.test/");
      await addRoute("port", "https://shop.test:8443/port");
      expect((await publish()).success).toBe(true);
      await server.client.from("routes").update({ fallback_url: "https://shop.test/a#x" }).eq("slug", "c");
      expect(await publish()).toEqual({
        success: false,
        message: null,
        error:
          "The route https://shop.test/a redirects back to itself (https://shop.test/a, then https://shop.test/b, then https://shop.test/c, then https://shop.test/a). Change its Primary URL or Fallback URL.",
      });
      expect(await where("safe")).toBe("https://safe.test/");
      await server.client.from("routes").update({ active: false }).eq("id", a);
      expect((await publish()).success).toBe(true);
    });

    it("rejects routes that are invalid only in combination, or no longer valid", async () => {
      await addRoute("caf%C3%A9", "https://one.test/");
      await addRoute("café", "https://two.test/");
      expect((await publish()).error).toBe(
        "The routes https://shop.test/caf%C3%A9 and https://shop.test/café have the same public URL. Remove one of them.",
      );
      await server.client.from("routes").delete().eq("slug", "café");
      await server.context.db
        .insertInto("routes")
        .values({ domain_id: domainId, slug: "old", primary_url: "ftp://x" })
        .execute();
      expect((await publish()).error).toBe(
        "The route https://shop.test/old is no longer valid. Edit it and save it again.",
      );
    });

    it("publishes a Unicode domain, which visitors reach by its punycode", async () => {
      domainId = await addDomain("Bücher.test");
      await addRoute("весна", "https://книги.test/весна");
      expect((await publish()).success).toBe(true);
      const { location } = await visit(redirector, "xn--bcher-kva.test", "/%D0%B2%D0%B5%D1%81%D0%BD%D0%B0");
      expect(location).toBe("https://xn--c1ajbfp.test/%D0%B2%D0%B5%D1%81%D0%BD%D0%B0");
    });
  });

  describe("when something is wrong", () => {
    beforeEach(async () => {
      await addRoute("a", "https://before.test/");
      await publish();
      await addRoute("b", "https://after.test/");
    });

    // spec 3.12, 7.12, 8.17
    it("names the missing settings", async () => {
      Object.assign(settings, { syncUrl: null, token: null });
      expect(await validate()).toMatchObject({
        isValid: false,
        missing: ["VPS_SYNC_URL", "VPS_PUBLISH_TOKEN"],
        wrongUrl: false,
      });
      await expectError(/^Set VPS_SYNC_URL and VPS_PUBLISH_TOKEN in the server environment to publish\.$/);
      await expectRecovery();
    });

    // spec 3.12, 7.12
    it("reports a wrong token", async () => {
      settings.token = "another token, not known";
      const sentence =
        "The redirector rejected the publish token. VPS_PUBLISH_TOKEN must match the one stored on the VPS.";
      expect(await validate()).toEqual({
        isValid: false,
        missing: [],
        wrongUrl: false,
        expectedUrl: null,
        error: sentence,
      });
      await expectError(new RegExp(`^${sentence}$`));
      await expectRecovery();
    });

    // spec 8.18
    it("names the expected address if the configured one is wrong", async () => {
      const origin = new URL(redirector.publishUrl).origin;
      for (const wrong of [`${origin}/`, `${origin}/sync`, `${origin}/_clipmill/publish/x`]) {
        settings.syncUrl = wrong;
        expect(await validate()).toMatchObject({
          isValid: false,
          wrongUrl: true,
          expectedUrl: redirector.publishUrl,
          error: "VPS_SYNC_URL is not the address of a redirector.",
        });
      }
      // The address belongs to another server.
      const other = createServer((_request, response) => response.end("<h1>Hello</h1>")).listen(0, "127.0.0.1");
      await once(other, "listening");
      settings.syncUrl = `http://127.0.0.1:${(other.address() as AddressInfo).port}/_clipmill/publish`;
      settings.builtInUrl = "http://127.0.0.1:8081/_clipmill/publish";
      expect(await validate()).toMatchObject({ isValid: false, wrongUrl: true, expectedUrl: settings.builtInUrl });
      await expectError(/^The server at VPS_SYNC_URL is not a Clipmill redirector\.$/);
      settings.builtInUrl = null;
      other.closeAllConnections();
      other.close();
      await expectRecovery();
    });

    it("reports an unreachable redirector", async () => {
      await redirector.stop();
      expect(await validate()).toMatchObject({
        isValid: false,
        wrongUrl: false,
        error: expect.stringMatching(/could not be reached/),
      });
      const { success, error } = await publish();
      expect([success, error]).toEqual([false, expect.stringMatching(/could not be reached or did not respond\.$/)]);
      redirector = await startRedirectorProcess(folder);
      expect([await where("a"), await where("b")]).toEqual(["https://before.test/", null]);
      await expectRecovery();
    });

    it("determines the outcome of a publish whose connection was lost", async () => {
      const proxy = await startCuttingProxy(redirector.port);
      const through = `http://127.0.0.1:${proxy.port}/_clipmill/publish`;
      settings.syncUrl = through;
      proxy.cut = "request";
      await expectError(
        /^The connection to the redirector was lost while publishing\. It still serves version \d+\. If version \d+ arrived, it takes effect within a minute. Otherwise publish again\.$/,
      );
      // The redirector accepted it and only the response was lost, so the publish succeeds.
      proxy.cut = "response";
      expect(await publish()).toMatchObject({ success: true, message: expect.stringMatching(/with 2 routes\.$/) });
      expect(await where("b")).toBe("https://after.test/");
      expect((await state()).pendingCount).toBe(0);
      // The redirector accepted it, which cannot be verified until it is reachable again.
      await addRoute("c", "https://third.test/");
      proxy.cut = "for good";
      expect(await publish()).toMatchObject({
        success: false,
        error: expect.stringMatching(
          /^The connection .* or version \d+\. Publish again when the redirector can be reached\.$/,
        ),
      });
      expect((await state()).pendingCount).toBe(1);
      settings.syncUrl = redirector.publishUrl;
      await collectReport(server.context, settings);
      expect(await state()).toMatchObject({
        pendingCount: 0,
        versions: expect.toSatisfy((v: unknown[]) => v.length > 1),
      });
      expect(await where("c")).toBe("https://third.test/");
      await proxy.close();
      await expectRecovery();
    });

    it("detects a version that a slow redirector accepts after the publish timed out", async () => {
      const late = await startLateProxy(redirector.port);
      onTestFinished(() => late.close());
      settings.syncUrl = late.url;
      await expectError(/^The connection to the redirector was lost while publishing\. It still serves version \d+\. /);
      await late.deliver();
      expect(await where("b")).toBe("https://after.test/");
      await collectReport(server.context, settings);
      const { pendingCount, versions } = await state();
      expect([pendingCount, versions[0]!.isCurrent, versions[0]!.routes]).toEqual([0, true, 2]);
    });

    it("reports that the redirector's disk is full", async (context) => {
      const disk = path.join(folder, "small-disk");
      await mkdir(disk);
      context.skip(!mountSmallDisk(disk), "Mounting a small disk needs root.");
      const small = await startRedirectorProcess(disk);
      try {
        settings.syncUrl = small.publishUrl;
        expect((await publish()).success).toBe(true);
        const long = "x".repeat(1_500);
        const rows = Array.from({ length: 1_000 }, (_, i) => ({
          domain_id: domainId,
          slug: `long-${i}`,
          primary_url: `https://target.test/${long}`,
        }));
        await server.context.db.insertInto("routes").values(rows).execute();
        expect(await publish()).toEqual({
          success: false,
          message: null,
          error: "The redirector's disk is full; it keeps serving the previous version.",
        });
        expect((await visit(small, "shop.test", "/a")).location).toBe("https://before.test/");
        expect((await visit(small, "shop.test", "/long-1")).status).toBe(404);
        expect((await state()).pendingCount).toBe(1_000);
      } finally {
        await small.stop();
        unmountSmallDisk(disk);
      }
      await server.context.db.deleteFrom("routes").where("slug", "like", "long-%").execute();
      await expectRecovery();
    });

    it("continues after the back office, and after the redirector, lost its data", async () => {
      const before = versionOf(await publish());
      await server.context.db.deleteFrom("published_versions").execute();
      expect(versionOf(await publish())).toBe(before + 1);
      await redirector.stop();
      redirector = await startRedirectorProcess(path.join(folder, "fresh"));
      settings.syncUrl = redirector.publishUrl;
      expect(await where("a")).toBeNull();
      // The next report, of any server, restores its newest version.
      await Promise.all([collectReport(server.context, settings), collectReport(server.context, settings)]);
      expect(await where("a")).toBe("https://before.test/");
      expect(await state()).toMatchObject({ pendingCount: 0, versions: [{ version: before + 1, isCurrent: true }] });
      expect(versionOf(await publish())).toBe(before + 2);
      expect(await state()).toMatchObject({ pendingCount: 0, versions: [{ isCurrent: true }, { isCurrent: false }] });
      expect(await where("a")).toBe("https://before.test/");
    });
  });

  it("collects counts and health in the background, and repeated reports change nothing", async () => {
    const a = await addRoute("a", "https://one.test/", { fallback_url: "https://two.test/" });
    const b = await addRoute("b", "https://one.test/");
    await publish();
    for (const slug of ["a", "a", "a", "b"]) await where(slug);
    await collectReport(server.context, settings);
    // `xmin`, the last writing transaction: unchanged counts are not rewritten every ten seconds.
    const writers = () => sql`select xmin::text from route_counts`.execute(server.context.db).then(({ rows }) => rows);
    const once = await writers();
    for (let round = 0; round < 2; round += 1) await collectReport(server.context, settings);
    expect([once.length, await writers()]).toEqual([2, once]);
    const { counts, health } = await state();
    const byRoute = Object.fromEntries(counts.map(({ routeId, ...rest }) => [routeId, rest]));
    expect(byRoute).toEqual({ [a]: { today: 3, last7Days: 3 }, [b]: { today: 1, last7Days: 1 } });
    expect(health.map(({ routeId }) => routeId)).toEqual([a]);
    // Known health is not reported again, so a table that lost it stays empty until the next change: here, at most the
    // result of the first check.
    await vi.waitFor(
      async () => {
        await server.context.db.deleteFrom("route_health").execute();
        await collectReport(server.context, settings);
        expect((await state()).health).toEqual([]);
      },
      { timeout: 30_000, interval: 200 },
    );
    await publish();
    await collectReport(server.context, settings);
    expect((await state()).health.map(({ routeId }) => routeId)).toEqual([a]);
    // Counts of a redirector that lost its own are added to the earlier ones.
    await redirector.stop();
    redirector = await startRedirectorProcess(path.join(folder, "another"));
    settings.syncUrl = redirector.publishUrl;
    await publish();
    await where("a");
    await collectReport(server.context, settings);
    expect((await state()).counts).toContainEqual({ routeId: a, today: 4, last7Days: 4 });
    // Counts are included in the 7-day sum and eventually deleted.
    const rows = [1, 6, 7, 401].map((days) => ({ route_id: b, day: daysAgo(days), source: "old", redirects: 10 }));
    await server.context.db.insertInto("route_counts").values(rows).execute();
    expect((await state()).counts).toContainEqual({ routeId: b, today: 1, last7Days: 21 });
    await collectReport(server.context, settings);
    const old = await server.context.db
      .selectFrom("route_counts")
      .select("redirects")
      .where("source", "=", "old")
      .execute();
    expect(old).toHaveLength(3);
    // Deleting a route deletes its counts and health.
    await server.client.from("routes").delete().eq("id", a);
    expect((await state()).health).toEqual([]);
  });

  it("requires a signed-in user", async () => {
    for (const name of ["cloak-env-validator", "cloak-publisher", "cloak-state"]) {
      expect((await fetch(`${server.url}/functions/v1/${name}`, { method: "POST", body: "{}" })).status).toBe(401);
    }
  });
});
