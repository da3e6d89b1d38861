import { afterAll, beforeAll, expect, test } from "vitest";
import { JOB_TYPES, matchesJobFilter } from "#contract/jobs/job-filter.ts";
import { JOB_STATUSES } from "#contract/jobs/jobs.ts";
import { listJobs, listJobsSchema } from "#operations/jobs/read/list-jobs.ts";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import { PLAIN_JOB } from "#tests/support/jobs/plain-job.ts";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { readHistoryFilter, toListFilter } from "#web/jobs/cache/history-filter.ts";

const links = createLinkSigner("a secret for tests that is long enough");
const database = await openTestDatabase();
afterAll(() => database.close());

const flags = [true, false];
const kinds = JOB_STATUSES.flatMap((status) =>
  flags.flatMap((captions) => flags.map((audio) => ({ status, captions, audio }))),
);

beforeAll(async () => {
  const rows = kinds.map(({ status, captions, audio }) => ({
    ...PLAIN_JOB,
    job_name: `${status} job`,
    status,
    captions_enabled: captions,
    audio_enabled: audio,
  }));
  await database.db.insertInto("jobs").values(rows).execute();
});

const addresses = [undefined, ...JOB_STATUSES].flatMap((status) =>
  [undefined, ...JOB_TYPES].map((type) => ({ status, type })),
);

test("the server and the screen filter jobs identically, for every filter", async () => {
  const all = (await listJobs({ db: database.db, links }, listJobsSchema.parse({ limit: "100" }))).jobs;
  expect(all).toHaveLength(kinds.length);
  for (const search of ["", "job"]) {
    for (const address of addresses) {
      const filter = readHistoryFilter({ ...address, search });
      const request = listJobsSchema.parse({ ...toListFilter(filter), limit: "100" });
      const found = await listJobs({ db: database.db, links }, request);
      const kept = all.filter((job) => matchesJobFilter(job, filter));
      expect({ filter, ...found }).toEqual({ filter, jobs: kept, total: kept.length });
    }
  }
});

test.each([" x ", "x".repeat(300), 2026, `${"x".repeat(199)}  y`])(
  "the server accepts the search %j from an address",
  (search) => {
    const filter = readHistoryFilter({ search });
    expect(listJobsSchema.parse(toListFilter(filter)).search).toBe(filter.search);
  },
);
