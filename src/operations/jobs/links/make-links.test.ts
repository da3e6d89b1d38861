import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JobLinks, MakeLinksResponse } from "#contract/links/job-links.ts";
import { changeDomains } from "#operations/cloak/domains/change-domains.ts";
import { checkPublishable } from "#operations/cloak/publishing/check-publishable.ts";
import { selectPublishedRoutes } from "#operations/cloak/publishing/select-published-routes.ts";
import { type LinkedJob, startLinkedJob } from "#tests/support/jobs/linked-job.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { makeMissingLinks } from "./make-links.ts";
import { readLinks } from "./read-links.ts";

describe("the links of a job", () => {
  let server: TestServer;

  beforeEach(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
  });
  afterEach(() => server.close());

  const routes = () =>
    server.context.db.selectFrom("routes").select(["id", "slug", "primary_url", "output_id"]).orderBy("slug").execute();
  const linksOf = ({ jobId }: LinkedJob) => readLinks(server.context, jobId);
  const setDomain = (domainId: string, status: "active" | "inactive") =>
    server.context.db
      .transaction()
      .execute((trx) => changeDomains({ trx, actor: server.context.actor }, [domainId], { status }));

  it("are made when it completes, once, also if the last video ends many times at the same time", async () => {
    const job = await startLinkedJob(server.context, {
      ...{ videos: 2, variants: 2, link_slug_pattern: "{job}/{variant}" },
      link_utm: "utm_content={name}-{variant}",
    });
    expect((await linksOf(job)).links).toEqual([]);
    const ends = await Promise.all(Array.from({ length: 5 }, () => job.end()));
    expect(ends.filter(Boolean)).toHaveLength(1);
    expect(await routes()).toMatchObject([
      { slug: "Spring-drop/1", primary_url: "https://target.test/001?v=1&utm_content=Clip%200-1" },
      { slug: "Spring-drop/1-2", primary_url: "https://target.test/002?v=1&utm_content=Clip%201-1" },
      { slug: "Spring-drop/2", primary_url: "https://target.test/001?v=2&utm_content=Clip%200-2" },
      { slug: "Spring-drop/2-2", primary_url: "https://target.test/002?v=2&utm_content=Clip%201-2" },
    ]);
    expect(await makeMissingLinks(server.context, job.jobId)).toEqual({ made: 0, problem: null });
    const { links, missing, is_published } = await linksOf(job);
    expect([links.map(({ url }) => url), missing, is_published]).toEqual([
      ["1", "2", "1-2", "2-2"].map((slug) => `https://shop.test/Spring-drop/${slug}`),
      0,
      false,
    ]);
    const { data } = await server.client.from("job_outputs").select("link").order("name");
    expect(data).toEqual(links.map(({ url }) => ({ link: url })));
  });

  it("leave existing routes as they are, and never get an address that a visitor could not tell apart", async () => {
    const { db } = server.context;
    const job = await startLinkedJob(server.context, {
      ...{ videos: 3, variants: 1, link_slug_pattern: "{row.slug}", link_target: "https://shop.test/loop" },
      rows: ["café", "taken", "loop"].map((slug, i) => ({
        link: `https://drive.google.com/file/d/clip${i}/view`,
        pass: { slug },
      })),
    });
    const kept = ["caf%C3%A9/", "taken/", "taken-2"].map((slug) => ({
      domain_id: job.domainId,
      slug,
      primary_url: "https://kept.test/",
    }));
    await db.insertInto("routes").values(kept).execute();
    await job.end();
    const slugs = (await routes()).map(({ slug, primary_url: target }) => [slug, target.includes("kept.test")]);
    expect(new Map(slugs as [string, boolean][])).toEqual(
      new Map([
        ["caf%C3%A9/", true],
        ["café-2", false],
        ["loop-2", false],
        ["taken-2", true],
        ["taken-3", false],
        ["taken/", true],
      ]),
    );
    await checkPublishable(await selectPublishedRoutes(db));
  });

  it("of two jobs that end at the same time on one domain have different addresses", async () => {
    const jobs = [];
    for (let i = 0; i < 3; i += 1) jobs.push(await startLinkedJob(server.context, { videos: 4, variants: 2 }));
    const adding = server.client.from("routes").insert({
      ...{ domain_id: jobs[0]!.domainId, slug: "001-v1-Clip", primary_url: "https://other.test/" },
    });
    await Promise.all([...jobs.map((job) => job.end()), adding]);
    const slugs = (await routes()).map(({ slug }) => slug);
    expect(new Set(slugs).size).toBe(slugs.length);
    for (const job of jobs) expect((await linksOf(job)).links).toHaveLength(8);
  });

  it("are made later if their domain is inactive when the job completes", async () => {
    const job = await startLinkedJob(server.context, { videos: 1, variants: 2 });
    await setDomain(job.domainId, "inactive");
    expect(await job.end()).toBe(true);
    const problem = "The link domain shop.test is inactive. Activate it in Cloak Manager.";
    expect(await linksOf(job)).toMatchObject({ links: [], missing: 2, problem });
    expect(await call(server, { action: "make-links", jobId: job.jobId })).toEqual({ made: 0, problem });
    await setDomain(job.domainId, "active");
    expect(await call(server, { action: "make-links", jobId: job.jobId })).toEqual({ made: 2, problem: null });
    const again = await call<JobLinks>(server, { action: "links", jobId: job.jobId });
    expect(again).toMatchObject({ missing: 0, problem: null });
  });

  it("reject a job whose domain is missing or inactive", async () => {
    const { domainId } = await startLinkedJob(server.context, { videos: 1, variants: 1 });
    const create = (link_domain_id: string) =>
      server.create({ link_domain_id, link_target: "https://a.test" }).catch((error: Error) => error.message);
    expect(await create(crypto.randomUUID())).toBe("The link domain no longer exists.");
    await setDomain(domainId, "inactive");
    expect(await create(domainId)).toContain("is inactive");
  });

  it("stay without their job when it is deleted, or are deleted with it", async () => {
    for (const isDeleting of [false, true]) {
      const job = await startLinkedJob(server.context, { videos: 1, variants: 2 });
      await job.end();
      const before = await routes();
      await call(server, { action: "delete", jobIds: [job.jobId], delete_links: isDeleting });
      const after = await routes();
      expect(after.map(({ output_id }) => output_id)).toEqual(after.map(() => null));
      expect(after).toHaveLength(isDeleting ? before.length - 2 : before.length);
    }
  });
});

async function call<Result = MakeLinksResponse>(server: TestServer, body: Record<string, unknown>): Promise<Result> {
  const { data, error } = await server.client.functions.invoke<Result>("jobs", { body });
  if (error) throw error;
  return data!;
}
