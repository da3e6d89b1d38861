import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#database/open-database.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { createLinkSigner } from "../../downloads/link-signer.ts";
import { listJobs, listJobsSchema } from "./list-jobs.ts";

describe("a long list of jobs", () => {
  let database: Database;

  beforeAll(async () => {
    database = await openPostgresDatabase();
    await sql`
      insert into jobs (job_name, input_videos, captions_enabled, custom_captions, audio_enabled,
        custom_audio_links, audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio,
        segment_duration, download_enabled, total_videos)
      select 'Job ' || i, '{a}', i % 3 = 0, '{}', i % 2 = 0, '{}', 'replace', false, 1, 1, 1, true, 30, true, 1
      from generate_series(1, 12000) i`.execute(database.db);
  });
  afterAll(() => database.close());

  function list(request: Record<string, string>) {
    const context = { db: database.db, links: createLinkSigner("a secret for tests that is long enough") };
    return listJobs(context, listJobsSchema.parse(request));
  }

  it("is counted exactly while jobs are added, changed and deleted concurrently", async () => {
    const { db } = database;
    const counted = async () => (await db.selectFrom("job_counts").select("id").execute()).length;
    expect((await list({})).total).toBe(12_000);
    const fail = (rest: number) =>
      sql`update jobs set status = 'Failed' where right(job_name, 1) = ${String(rest)}`.execute(db);
    await Promise.all([fail(1), fail(2), fail(3)]);
    await sql`delete from jobs where right(job_name, 1) = '3'`.execute(db);
    await sql`update jobs set captions_enabled = true where right(job_name, 1) = '4'`.execute(db);
    const truth = await sql<Record<"all" | "failed" | "captions" | "both", number>>`
      select count(*) as all, count(*) filter (where status = 'Failed') as failed,
        count(*) filter (where captions_enabled) as captions,
        count(*) filter (where status = 'Failed' and audio_enabled) as both from jobs`.execute(db);
    const total = async (request: Record<string, string>) => (await list(request)).total;
    expect({
      all: await total({}),
      failed: await total({ status: "Failed" }),
      captions: await total({ type: "captions" }),
      both: await total({ type: "audio", status: "Failed" }),
    }).toEqual(truth.rows[0]);
    // About every 500th change consolidates the counts.
    expect(await counted()).toBeLessThan(2_500);
  });

  it("is searched by pages, and counted up to 10,001", async () => {
    const many = await list({ search: "job", limit: "2", page: "2" });
    expect(many.total).toBe(10_001);
    expect(many.jobs).toHaveLength(2);
    const few = await list({ search: "JOB 1100", limit: "4" });
    expect(few.total).toBe(10);
    expect(few.jobs).toHaveLength(4);
    const last = await list({ search: "job 1100", limit: "4", page: "3" });
    expect([last.total, last.jobs.length]).toEqual([10, 2]);
    expect(await list({ search: "job 1100", limit: "4", page: "4" })).toEqual({ total: 10, jobs: [] });
    const ids = [...few.jobs, ...(await list({ search: "job 1100", limit: "4", page: "2" })).jobs, ...last.jobs];
    expect(new Set(ids.map((job) => job.id)).size).toBe(10);
  });

  it("is searched by captions and file names, ignoring case", async () => {
    const id = await addJob({ captions: ["Sunrise over the HARBOR", "100% wild_life"] });
    expect(await found("sunrise OVER")).toEqual([id]);
    expect(await found("100% WILD_")).toEqual([id]);
    expect(await found("harbor\n100%")).toEqual([id]);
    expect(await found("drone")).toEqual([]);
    await addOutputs(id, "Drone Take 7.mov", ["001-v1-Drone Take 7.mp4", "001-v2-Drone Take 7.mp4"]);
    await addOutputs(id, "Boat.mov", ["002-v1-Boat.mp4"]);
    for (const name of ["drone take 7.MOV", "001-V2-drone", "002-v1-boat.mp4"]) expect(await found(name)).toEqual([id]);
  });

  it("is searched by the first 8 kB of captions, and by all names of a large job's sources", async () => {
    const { db } = database;
    const captions = Array.from({ length: 4_000 }, (_, i) => `línea ${i}`);
    const id = await addJob({ captions });
    expect((await list({ search: "línea 100\n" })).total).toBe(1);
    expect((await list({ search: "línea 3999" })).total).toBe(0);
    const length = async () =>
      (
        await sql<{
          bytes: number;
        }>`select octet_length(search_text) as bytes from job_search where job_id = ${id}`.execute(db)
      ).rows[0]!.bytes;
    expect(await length()).toBeLessThanOrEqual("captioned\n".length + 8_192);
    for (let place = 0; place < 30; place += 1) {
      const names = Array.from({ length: 100 }, (__, i) => `${place}-v${i}-a name as cameras give them.mp4`);
      await addOutputs(id, `source number ${place}, which has a name.mov`, names);
    }
    // As with the next progress of the job.
    await sql`select add_to_search(${id}, false)`.execute(db);
    expect((await list({ search: "source number 29," })).total).toBe(1);
    expect(await length()).toBeLessThan(64_000);
  });

  it("returns which of the given jobs match, for lists with live changes", async () => {
    const [one, two] = [await addJob({ captions: ["lantern"] }), await addJob({ captions: ["other"] })];
    const both = await list({ ids: `${one},${two}` });
    expect([both.total, idsOf(both.jobs).toSorted()]).toEqual([2, [one, two].toSorted()]);
    const matching = await list({ ids: `${one},${two}`, search: "Lantern" });
    expect([matching.total, idsOf(matching.jobs)]).toEqual([1, [one]]);
    expect(await list({ ids: one, status: "Failed" })).toEqual({ jobs: [], total: 0 });
    expect(listJobsSchema.parse({ ids: [one] }).ids).toEqual([one]);
    expect(() => listJobsSchema.parse({ ids: "not an id" })).toThrow("uuid");
  });

  async function found(search: string): Promise<string[]> {
    return idsOf((await list({ search })).jobs);
  }

  async function addJob({ captions }: { captions: string[] }): Promise<string> {
    const { rows } = await sql<{ id: string }>`
      insert into jobs (job_name, input_videos, captions_enabled, custom_captions, audio_enabled, custom_audio_links,
        audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio, segment_duration,
        download_enabled, total_videos)
      values ('Captioned', '{a}', true, ${captions}, false, '{}', 'replace', false, 1, 1, 1, true, 30, true, 1)
      returning id`.execute(database.db);
    return rows[0]!.id;
  }

  /** Adds outputs like `planOutputs`. */
  async function addOutputs(jobId: string, source: string, names: string[]): Promise<void> {
    const { rows } = await sql<{ id: string }>`
      insert into job_videos (job_id, position, link, name)
      select ${jobId}, count(*), 'a link', ${source} from job_videos where job_id = ${jobId} returning id`.execute(
      database.db,
    );
    await database.db
      .insertInto("job_outputs")
      .values(names.map((name, variant) => ({ job_id: jobId, video_id: rows[0]!.id, variant, segment: 0, name })))
      .execute();
  }
});

function idsOf(jobs: { id: string }[]): string[] {
  return jobs.map((job) => job.id);
}
