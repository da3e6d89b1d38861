import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Job, JobVideo } from "#contract/jobs/jobs.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const LINKS = ["a", "b", "c"].map((id) => `https://drive.google.com/file/d/${id}/view`);
const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

describe("the tables", () => {
  let server: TestServer;
  let job: Job;

  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
    job = await server.create({ job_name: "Three", input_videos: LINKS });
    await server.create({ job_name: "Other" });
  });
  afterAll(() => server.close());

  const from = (table: string) => server.client.from(table);

  /** A plain request, for calls that the real client does not send. */
  async function request(path: string, init: Omit<RequestInit, "headers"> & { headers?: Record<string, string> } = {}) {
    const { data } = await server.client.auth.getSession();
    const headers = { authorization: `Bearer ${data.session!.access_token}`, ...init.headers };
    return fetch(`${server.url}/rest/v1/${path}`, { ...init, headers });
  }

  async function range(path: string, prefer = ""): Promise<string | null> {
    return (await request(path, { headers: { prefer } })).headers.get("content-range");
  }

  async function readFive(start: number): Promise<{ id: unknown }[]> {
    const sets = from("caption_sets").select("id").order("created_at", { ascending: false });
    return (await sets.range(start, start + 4).throwOnError()).data;
  }

  async function addSets(...names: string[]): Promise<{ id: string; name: string }[]> {
    const { data } = await from("caption_sets")
      .insert(names.map((name) => ({ name, captions: [`${name} 1`, `${name} 2`] })))
      .select()
      .throwOnError();
    return data as { id: string; name: string }[];
  }

  async function addDomain(name: string): Promise<{ id: string; name: string; status: string }> {
    return (await from("domains").insert({ name }).select().single().throwOnError()).data;
  }

  async function addRoute(domainId: string, slug: string, more: Record<string, unknown> = {}) {
    const route = { domain_id: domainId, slug, primary_url: "https://a.test/", ...more };
    return (await from("routes").insert(route).select().single().throwOnError()).data as {
      id: string;
      slug: string;
      fallback_url: string | null;
      active: boolean;
    };
  }

  describe("reading", () => {
    // spec 7.4
    it("reads one job with all its fields", async () => {
      const { data, error } = await from("jobs").select("*").eq("id", job.id).single<Job>();
      expect(error).toBeNull();
      expect(data).toEqual(job);
      expect(data).not.toHaveProperty("created_by");
    });

    it("rejects a single row if there is none or more than one", async () => {
      const { data, error, status } = await from("jobs").select().eq("id", UNKNOWN_ID).single();
      expect([status, data]).toEqual([406, null]);
      expect(error).toMatchObject({ code: "PGRST116", details: "The result contains 0 rows" });
      const many = await from("jobs").select().single();
      expect(many.error).toMatchObject({ code: "PGRST116", details: "The result contains 2 rows" });
      const maybe = await from("jobs").select().eq("id", UNKNOWN_ID).maybeSingle();
      expect([maybe.data, maybe.error]).toEqual([null, null]);
      expect((await from("jobs").select("job_name").eq("id", job.id).maybeSingle()).data).toEqual({
        job_name: "Three",
      });
    });

    it("reads a job's videos in order, in part, and only the selected columns", async () => {
      const { data } = await from("job_videos")
        .select("*")
        .eq("job_id", job.id)
        .order("position", { ascending: false });
      expect((data as JobVideo[]).map((video) => video.link)).toEqual(LINKS.toReversed());
      const { data: part } = await from("job_videos")
        .select("position, status")
        .eq("job_id", job.id)
        .in("status", ["Queued", "Failed"])
        .order("position")
        .range(1, 2);
      expect(part).toEqual([
        { position: 1, status: "Queued" },
        { position: 2, status: "Queued" },
      ]);
    });

    it("filters by every operator, according to the column's type", async () => {
      await server.context.db.deleteFrom("caption_sets").execute();
      await addSets("Alpha", "alp%a", "Beta, (2)", 'Say "hi"');
      const named = async (filter: (query: ReturnType<typeof select>) => ReturnType<typeof select>) => {
        const { data, error } = await filter(select()).order("name");
        expect(error).toBeNull();
        return (data as unknown as { name: string }[]).map((set) => set.name).toSorted();
      };
      const select = () => from("caption_sets").select("name");
      expect(await named((q) => q.eq("name", "Alpha"))).toEqual(["Alpha"]);
      expect(await named((q) => q.neq("name", "Alpha"))).toHaveLength(3);
      expect(await named((q) => q.like("name", "A%"))).toEqual(["Alpha"]);
      expect(await named((q) => q.ilike("name", "al*a"))).toEqual(["Alpha", "alp%a"]);
      expect(await named((q) => q.like("name", "%\\%%"))).toEqual(["alp%a"]);
      expect(await named((q) => q.like("name", "ends with\\"))).toEqual([]);
      expect(await named((q) => q.in("name", ["Beta, (2)", 'Say "hi"', "x"]))).toEqual(["Beta, (2)", 'Say "hi"']);
      expect(await named((q) => q.in("name", []))).toEqual([]);
      expect(await named((q) => q.is("name", null))).toEqual([]);
      const numbers = from("job_videos").select("position").eq("job_id", job.id).order("position");
      expect((await numbers.gt("position", 0).lte("position", 1)).data).toEqual([{ position: 1 }]);
      const times = from("jobs").select("job_name").gte("created_at", job.created_at).lt("created_at", "2999-01-01");
      expect((await times).data).toHaveLength(2);
      expect((await from("jobs").select("id").is("captions_enabled", true)).data).toEqual([]);
      expect((await from("jobs").select("id").is("captions_enabled", false)).data).toHaveLength(2);
    });

    it("counts on request, and returns the range of the response", async () => {
      const all = await from("job_videos").select("*", { count: "exact" }).eq("job_id", job.id);
      expect([all.status, all.count]).toEqual([200, 3]);
      const part = await from("job_videos").select("id", { count: "exact" }).eq("job_id", job.id).range(1, 1);
      expect([part.status, part.count, part.data?.length]).toEqual([206, 3, 1]);
      const head = await from("job_videos").select("*", { count: "exact", head: true }).eq("job_id", job.id);
      expect([head.status, head.count, head.data]).toEqual([200, 3, null]);
      const beyond = await from("job_videos").select("id", { count: "exact" }).eq("job_id", job.id).range(10, 11);
      expect([beyond.status, beyond.error?.code]).toEqual([416, "PGRST103"]);
      const uncounted = await from("job_videos").select("id").eq("job_id", job.id).range(10, 11);
      expect([uncounted.status, uncounted.data, uncounted.count]).toEqual([200, [], null]);
      const none = await from("jobs").select("*", { count: "exact" }).eq("id", UNKNOWN_ID);
      expect([none.status, none.count]).toEqual([200, 0]);
      expect(await range(`job_videos?job_id=eq.${job.id}&limit=2`)).toBe("0-1/*");
      expect(await range(`job_videos?job_id=eq.${job.id}&limit=2&offset=1`, "count=exact")).toBe("1-2/3");
      expect(await range(`jobs?id=eq.${UNKNOWN_ID}`, "count=exact")).toBe("*/0");
    });

    it("orders rows with the same time consistently", async () => {
      await server.context.db.deleteFrom("caption_sets").execute();
      await addSets(...Array.from({ length: 20 }, (_, i) => `Set ${i}`));
      const paged = [...(await readFive(0)), ...(await readFive(5)), ...(await readFive(10)), ...(await readFive(15))];
      expect(new Set(paged.map((row) => row.id as string)).size).toBe(20);
    });

    it("treats values as values", async () => {
      const { data, error } = await from("jobs").select("id").eq("status", "Queued' or '1'='1");
      expect([data, error]).toEqual([[], null]);
      expect((await from("jobs").select("id").eq("id", "' or 1=1 --")).error).toMatchObject({ code: "22P02" });
      expect((await from("jobs").select("id").gt("total_videos", "99999999999")).error).toMatchObject({
        code: "22P02",
      });
      expect((await from("jobs").select("id").gt("created_at", "yesterday")).error).toMatchObject({ code: "22007" });
      expect((await from("jobs").select("id").eq("job_name", "a\0b")).error).toMatchObject({ code: "22021" });
      const like = await from("jobs").select("id").like("id", "a%");
      expect([like.status, like.error?.code]).toEqual([404, "42883"]);
      expect((await from("jobs").select("id").is("job_name", true)).error).toMatchObject({ code: "42804" });
    });

    it("supports one media type and one schema", async () => {
      expect((await request("jobs", { headers: { accept: "text/csv" } })).status).toBe(406);
      expect((await request("jobs", { headers: { "accept-profile": "public" } })).status).toBe(200);
      const other = await request("jobs", { headers: { "accept-profile": "pgboss" } });
      expect([other.status, ((await other.json()) as { code: string }).code]).toEqual([406, "PGRST106"]);
      const written = await request("audio_sets", { method: "POST", headers: { "content-profile": "x" }, body: "{}" });
      expect(written.status).toBe(406);
    });
  });

  describe("the allow-list", () => {
    it.each(["accounts", "sessions", "settings", "job_events", "pgboss.job", "constructor", "__proto__"])(
      "has no table %s",
      async (table) => {
        const { error, status } = await from(table).select();
        expect([status, error?.code]).toEqual([404, "PGRST205"]);
      },
    );

    it("has no other columns, orders, operators, embeds or functions", async () => {
      const select = () => from("jobs").select();
      expect((await from("jobs").select("created_by")).error).toMatchObject({ code: "42703" });
      expect((await select().eq("created_by", job.id)).error).toMatchObject({ code: "42703" });
      expect((await select().eq("constructor", "x")).error).toMatchObject({ code: "42703" });
      expect((await select().order("created_by")).error).toMatchObject({ code: "42703" });
      expect((await from("job_outputs").select("storage_key")).error).toMatchObject({ code: "42703" });
      for (const rejected of [
        select().or("status.eq.Queued,status.eq.Failed"),
        select().not("status", "eq", "Queued"),
        select().contains("input_videos", ["a"]),
        select().textSearch("job_name", "a"),
        select().eq("download_url", "x"),
        from("jobs").select("name:job_name"),
        from("jobs").select("id::text"),
        from("domains").select("*,routes(id)"),
        from("routes").select("*,domains(*)"),
        from("domains").select("*,routes(count"),
      ]) {
        const { error, status } = await rejected;
        expect([status, error?.code]).toEqual([400, "PGRST100"]);
      }
      for (const rejected of [from("jobs").select("*,accounts(*)"), from("domains").select("*,jobs(count)")]) {
        expect((await rejected).error).toMatchObject({ code: "PGRST200" });
      }
      expect((await server.client.rpc("pg_sleep", { seconds: 1 })).error).toMatchObject({ code: "PGRST202" });
      expect((await request("")).status).toBe(404);
      expect((await request("jobs?id=eq.1", { method: "PUT", body: "{}" })).status).toBe(405);
    });

    it("writes no jobs, videos or outputs", async () => {
      for (const table of ["jobs", "job_videos", "job_outputs"]) {
        for (const rejected of [
          from(table).insert({ status: "Completed" }),
          from(table).update({ status: "Completed" }).eq("id", job.id),
          from(table).delete().eq("id", job.id),
        ]) {
          const { error, status } = await rejected;
          expect([status, error?.code]).toEqual([403, "42501"]);
        }
      }
      expect((await from("jobs").select("status").eq("id", job.id).single()).data).toEqual({ status: "Queued" });
    });

    it("rejects reads and writes without a session", async () => {
      const { error, status } = await server.newClient().from("jobs").select();
      expect(status).toBe(401);
      expect(error).toMatchObject({ code: "PGRST301", message: "Sign in first." });
      expect((await server.newClient().from("domains").insert({ name: "a.test" })).status).toBe(401);
    });
  });

  describe("writing", () => {
    // spec 7.14, 7.15
    it("inserts one row or many, returning them or nothing", async () => {
      const quiet = await from("caption_sets").insert({ name: "Quiet", captions: ["a"] });
      expect([quiet.status, quiet.data, quiet.error]).toEqual([201, null, null]);
      const response = await from("caption_sets")
        .insert({ name: " Told ", captions: [" a ", ""] })
        .select()
        .single();
      expect(response.status).toBe(201);
      expect(response.data).toEqual({
        id: expect.any(String),
        name: "Told",
        captions: ["a"],
        warnings: [],
        created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*(?:Z|[+-]\d\d:\d\d)$/),
      });
      const many = await from("audio_sets")
        .insert(
          [
            { name: "One", audio_links: ["x"] },
            { name: "Two", audio_links: ["y"] },
          ],
          { count: "exact" },
        )
        .select("name");
      expect([many.status, many.count, many.data]).toEqual([201, 2, [{ name: "One" }, { name: "Two" }]]);
    });

    it("inserts all rows or none", async () => {
      const before = (await from("caption_sets").select("id")).data!.length;
      const { error, status } = await from("caption_sets").insert([
        { name: "Good", captions: ["a"] },
        { name: "", captions: ["a"] },
      ]);
      expect([status, error?.message]).toEqual([400, "Please provide both name and captions"]);
      const two = await from("caption_sets")
        .insert([
          { name: "a", captions: ["a"] },
          { name: "b", captions: ["a"] },
        ])
        .select()
        .single();
      expect([two.status, two.error?.code]).toEqual([406, "PGRST116"]);
      expect((await from("caption_sets").select("id")).data).toHaveLength(before);
    });

    it("fills missing fields of several rows with null, or with defaults on request", async () => {
      const domain = await addDomain("fills.test");
      const rows = [
        { domain_id: domain.id, slug: "one", primary_url: "https://a.test/" },
        { domain_id: domain.id, slug: "two", primary_url: "https://a.test/", active: false },
      ];
      const nulls = await from("routes").insert(rows);
      expect([nulls.status, nulls.error?.message]).toEqual([400, expect.stringMatching(/^active: /)]);
      const { data } = await from("routes").insert(rows, { defaultToNull: false }).select("slug,active");
      expect(data).toEqual([
        { slug: "one", active: true },
        { slug: "two", active: false },
      ]);
    });

    // spec 7.14, 7.15
    it("updates matching rows, and only the given fields", async () => {
      const [first, second] = await addSets("First", "Second");
      const changed = await from("caption_sets").update({ name: "Changed" }).eq("id", first!.id).select();
      expect([changed.status, changed.data]).toEqual([200, [{ ...first, name: "Changed" }]]);
      const quiet = await from("caption_sets")
        .update({ captions: ["new"] }, { count: "exact" })
        .eq("id", second!.id);
      expect([quiet.status, quiet.count, quiet.data]).toEqual([204, 1, null]);
      const { data } = await from("caption_sets").select("name,captions").eq("id", second!.id).single();
      expect(data).toEqual({ name: "Second", captions: ["new"] });
      const nobody = await from("caption_sets").update({ name: "x" }).eq("id", UNKNOWN_ID).select();
      expect([nobody.status, nobody.data]).toEqual([200, []]);
      const single = await from("caption_sets").update({ name: "x" }).eq("id", UNKNOWN_ID).select().single();
      expect([single.status, single.error?.code]).toEqual([406, "PGRST116"]);
      const both = from("caption_sets").update({ name: "x" }).in("id", [first!.id, second!.id]).select().single();
      expect((await both).status).toBe(406);
      const names = await from("caption_sets").select("name").in("id", [first!.id, second!.id]).order("name");
      expect(names.data).toEqual([{ name: "Changed" }, { name: "Second" }]);
    });

    // spec 7.14, 7.15
    it("deletes matching rows", async () => {
      const [first, second, third] = await addSets("1", "2", "3");
      const quiet = await from("caption_sets").delete().eq("id", first!.id);
      expect([quiet.status, quiet.data, quiet.error]).toEqual([204, null, null]);
      const response = await from("caption_sets").delete({ count: "exact" }).eq("id", second!.id).select("name");
      expect([response.status, response.count, response.data]).toEqual([200, 1, [{ name: "2" }]]);
      expect((await from("caption_sets").select("name").in("id", [first!.id, second!.id, third!.id])).data).toEqual([
        { name: "3" },
      ]);
    });

    it("never writes every row without a filter", async () => {
      for (const rejected of [from("caption_sets").delete(), from("caption_sets").update({ name: "x" })]) {
        const { error, status } = await rejected;
        expect([status, error?.code]).toEqual([400, "21000"]);
      }
    });

    it("rejects unknown and read-only columns, upserts, and invalid rows", async () => {
      const insert = (row: unknown) => from("caption_sets").insert(row as Record<string, unknown>);
      expect((await insert({ name: "a", captions: ["a"], owner: "x" })).error).toMatchObject({ code: "PGRST204" });
      expect((await insert({ id: UNKNOWN_ID, name: "a", captions: ["a"] })).error).toMatchObject({ code: "42501" });
      expect((await insert("text")).error).toMatchObject({ code: "PGRST102" });
      expect((await insert([1])).error).toMatchObject({ code: "PGRST102" });
      expect((await insert({ name: 7, captions: "a" })).status).toBe(400);
      const upsert = await from("caption_sets").upsert({ name: "a", captions: ["a"] });
      expect([upsert.status, upsert.error?.code]).toEqual([400, "PGRST100"]);
      const broken = await request("caption_sets", { method: "POST", body: "{" });
      expect([broken.status, await broken.json()]).toEqual([
        400,
        { code: "P0001", details: null, hint: null, message: "The request is not valid JSON." },
      ]);
      const large = await request("caption_sets", { method: "POST", body: "x".repeat(65 * 1024 * 1024) });
      expect([large.status, ((await large.json()) as { message: string }).message]).toEqual([
        413,
        "The request is larger than 64 MB.",
      ]);
    });
  });

  describe("the rules of domains and routes", () => {
    // spec 3.8, 5.17
    it("stores domain names uniquely, in lower case, Unicode as punycode", async () => {
      expect(await addDomain("  Shop.Example.COM ")).toMatchObject({
        name: "shop.example.com",
        notes: null,
        status: "active",
      });
      expect((await addDomain("bücher.test")).name).toBe("xn--bcher-kva.test");
      const again = await from("domains").insert({ name: "shop.example.com" });
      expect([again.status, again.error?.code]).toEqual([409, "23505"]);
      for (const name of ["", "a", "-a.test", "a_b.test", "a b.test", "https://a.test", "a.test/x", "a..test", null]) {
        const { status, error } = await from("domains").insert({ name });
        expect([name, status, error?.message]).toEqual([name, 400, "Invalid domain format"]);
      }
    });

    // spec 3.9, 5.19, 5.20, 5.21
    it("cleans slugs and accepts only web addresses", async () => {
      const domain = await addDomain("slugs.test");
      expect(await addRoute(domain.id, " //promo/summer ", { fallback_url: "" })).toMatchObject({
        slug: "promo/summer",
        fallback_url: null,
        active: true,
      });
      expect((await addRoute(domain.id, "__root__")).slug).toBe("__root__");
      const insert = (more: Record<string, unknown>) =>
        from("routes").insert({ domain_id: domain.id, slug: "x", primary_url: "https://a.test/", ...more });
      for (const [more, message] of [
        [{ primary_url: "ftp://a.test" }, "Primary URL must start with http:// or https://"],
        [{ primary_url: "javascript:alert(1)" }, "Primary URL must start with http:// or https://"],
        [{ fallback_url: "a.test" }, "Fallback URL must start with http:// or https://"],
        [{ slug: " / " }, "Enter a slug"],
        [{ domain_id: "x" }, "Choose a domain"],
      ] as const) {
        const { status, error } = await insert(more);
        expect([status, error?.message]).toEqual([400, message]);
      }
      const taken = await insert({ slug: "/promo/summer" });
      expect([taken.status, taken.error?.code]).toEqual([409, "23505"]);
      const nowhere = await insert({ domain_id: UNKNOWN_ID });
      expect([nowhere.status, nowhere.error?.code]).toEqual([409, "23503"]);
    });

    // spec 3.8, 3.9, 7.16, 7.17
    it("returns route counts with domains, and domain names with routes", async () => {
      const domain = await addDomain("embeds.test");
      const empty = await addDomain("empty.test");
      await addRoute(domain.id, "one");
      await addRoute(domain.id, "two");
      const { data } = await from("domains")
        .select("*,routes(count)")
        .in("id", [domain.id, empty.id])
        .order("created_at", { ascending: false });
      expect(data).toEqual([
        { ...empty, routes: [{ count: 0 }] },
        { ...domain, routes: [{ count: 2 }] },
      ]);
      const routes = await from("routes")
        .select("slug, domains ( name )")
        .eq("domain_id", domain.id)
        .eq("active", true)
        .order("created_at", { ascending: false })
        .order("slug");
      expect(routes.data).toEqual([
        { slug: "two", domains: { name: "embeds.test" } },
        { slug: "one", domains: { name: "embeds.test" } },
      ]);
    });

    // spec 3.8, 4.8.1, 7.16
    it("deactivates a domain's routes with it, and reactivates them", async () => {
      const domain = await addDomain("turns.test");
      await addRoute(domain.id, "one");
      await addRoute(domain.id, "two", { active: false });
      const states = async () =>
        (await from("routes").select("active").eq("domain_id", domain.id).order("slug")).data!.map((row) => row.active);
      const set = (change: Record<string, unknown>) =>
        from("domains").update(change).eq("id", domain.id).throwOnError();
      await set({ notes: "no change of status" });
      await set({ status: "active" });
      expect(await states()).toEqual([true, false]);
      await set({ status: "inactive" });
      expect(await states()).toEqual([false, false]);
      expect((await from("domains").select("notes").eq("id", domain.id).single()).data).toEqual({
        notes: "no change of status",
      });
      const on = await from("routes").update({ active: true }).eq("domain_id", domain.id);
      expect([on.status, on.error?.message]).toEqual([400, expect.stringContaining("This domain is inactive")]);
      const off = await from("routes").update({ active: false }).eq("domain_id", domain.id);
      expect(off.status).toBe(204);
      const more = { domain_id: domain.id, slug: "three", primary_url: "https://a.test" };
      expect((await from("routes").insert(more)).status).toBe(400);
      await set({ status: "active" });
      expect(await states()).toEqual([true, true]);
    });

    // spec 3.9, 4.8.2, 7.17
    it("edits routes by the same rules, and deletes a domain with its routes", async () => {
      const domain = await addDomain("edits.test");
      const [one, two] = [await addRoute(domain.id, "one"), await addRoute(domain.id, "two")];
      const edit = (change: Record<string, unknown>) =>
        from("routes").update(change).eq("id", one.id).select().single();
      expect((await edit({ slug: "/uno ", fallback_url: "https://b.test" })).data).toMatchObject({
        slug: "uno",
        fallback_url: "https://b.test",
        primary_url: "https://a.test/",
      });
      expect((await edit({ slug: "two" })).error).toMatchObject({ code: "23505" });
      expect((await edit({ primary_url: "x" })).error).toMatchObject({ code: "P0001" });
      expect((await edit({ active: null })).status).toBe(400);
      const off = await from("routes").update({ active: false }).eq("domain_id", domain.id).select("active");
      expect(off.data).toEqual([{ active: false }, { active: false }]);
      await from("domains").delete().eq("id", domain.id).throwOnError();
      expect((await from("routes").select().in("id", [one.id, two.id])).data).toEqual([]);
    });
  });
});
