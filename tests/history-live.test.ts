/** Jobs change at random, and the lists on screen must equal what the server returns. */
import { InfiniteQueryObserver, QueryClient } from "@tanstack/react-query";
import { array, assert, asyncProperty, constant, constantFrom, nat, oneof, record } from "fast-check";
import { sql } from "kysely";
import { afterAll, expect, test, vi } from "vitest";
import { JOB_TYPES } from "#contract/jobs/job-filter.ts";
import { type Job, JOB_STATUSES } from "#contract/jobs/jobs.ts";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import { listJobs, listJobsSchema } from "#operations/jobs/read/list-jobs.ts";
import { readLightJob } from "#operations/jobs/read/read-job.ts";
import { PLAIN_JOB } from "#tests/support/jobs/plain-job.ts";
import { openTestDatabase } from "#tests/support/servers/databases/database.ts";
import { createLiveHistory } from "#web/features/job-history/live/live-history.ts";
import { readHistoryFilter, type HistoryFilter, toListFilter } from "#web/jobs/cache/history-filter.ts";
import { jobKeys } from "#web/jobs/cache/job-keys.ts";
import { jobsOf, nextPageOf, toJobPage, type JobPages } from "#web/jobs/cache/job-pages.ts";

const database = await openTestDatabase();
const { db } = database;
const server = { db, links: createLinkSigner("a secret for tests that is long enough") };
afterAll(() => database.close());

const list = vi.hoisted(() => ({ jobs: (_request: object): unknown => null }));
// The server's own function, without HTTP between.
vi.mock(import("#web/api/jobs.ts"), () => ({ listJobs: ((request: object) => list.jobs(request)) as never }));
const readList = (request: object) => listJobs(server, listJobsSchema.parse(request));
list.jobs = readList;

const JOBS = 200;
const WORDS = ["harbor", "lantern", "gym", "studio"];

const FILTERS = [undefined, ...JOB_STATUSES].flatMap((status) =>
  [{}, ...JOB_TYPES.map((type) => ({ type })), { search: "harbor" }].map((others) =>
    readHistoryFilter({ ...others, status }),
  ),
);

function newJob(index: number) {
  return {
    ...PLAIN_JOB,
    job_name: `${WORDS[index % WORDS.length]} ${index}`,
    status: JOB_STATUSES[index % JOB_STATUSES.length]!,
    captions_enabled: index % 2 === 0,
    audio_enabled: index % 3 === 0,
    created_at: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
  };
}

async function insertJobs(rows: ReturnType<typeof newJob>[]): Promise<string[]> {
  return (await db.insertInto("jobs").values(rows).returning("id").execute()).map(({ id }) => id);
}

type Change =
  | { kind: "status"; job: number; status: number }
  | { kind: "progress" | "delete" | "name a file" | "insert"; job: number }
  | { kind: "fetch"; job: number };

const job = nat();
const changes = array(
  oneof(
    { weight: 6, arbitrary: record({ kind: constant("status" as const), job, status: nat() }) },
    {
      weight: 4,
      arbitrary: record({
        kind: constantFrom("progress" as const, "delete" as const, "name a file" as const, "insert" as const),
        job,
      }),
    },
    { weight: 2, arbitrary: record({ kind: constant("fetch" as const), job }) },
  ),
  { minLength: 20, maxLength: 40 },
);

type Screen = ReturnType<typeof openScreen>;

/** Shows every list at the same time. */
function openScreen() {
  const client = new QueryClient();
  const live = createLiveHistory(client);
  const stops = [live.start()];
  const lists = FILTERS.map((filter) => {
    const observer = new InfiniteQueryObserver(client, {
      queryKey: jobKeys.history(filter),
      initialPageParam: 1,
      queryFn: async ({ pageParam }) =>
        toJobPage(await readList({ page: String(pageParam), limit: "10", ...toListFilter(filter) })),
      getNextPageParam: (_last, pages, lastNumber) => nextPageOf(pages, lastNumber),
    });
    stops.push(observer.subscribe(() => {}));
    return { filter, observer };
  });
  return { client, live, lists, close: () => stops.forEach((stop) => stop()) };
}

function shown(client: QueryClient, filter: HistoryFilter) {
  const data = client.getQueryData<JobPages>(jobKeys.history(filter));
  return data && { jobs: jobsOf(data), total: data.pages.at(-1)!.total, isWhole: isWhole(data) };
}

function isWhole(data: JobPages): boolean {
  return nextPageOf(data.pages, data.pageParams.at(-1)!) === undefined;
}

const visible = ({ id, job_name, status, progress }: Job) => ({ id, job_name, status, progress });

async function readFresh(filter: HistoryFilter) {
  const pages = await Promise.all(
    [1, 2, 3].map((page) => readList({ page: String(page), limit: "100", ...toListFilter(filter) })),
  );
  return { jobs: pages.flatMap(({ jobs }) => jobs), total: pages[0]!.total };
}

async function make(change: Change, ids: string[], { live, lists, client }: Screen): Promise<void> {
  const id = ids[change.job % ids.length]!;
  const now = sql<string>`clock_timestamp()`;
  const update = (columns: object) =>
    db
      .updateTable("jobs")
      .set({ ...columns, updated_at: now })
      .where("id", "=", id)
      .execute();
  switch (change.kind) {
    case "fetch": {
      const { observer, filter } = lists[change.job % lists.length]!;
      // Later changes are made while this runs.
      void (change.job % 3 === 0
        ? client.refetchQueries({ queryKey: jobKeys.history(filter) })
        : observer.fetchNextPage());
      return;
    }
    case "insert": {
      const [added] = await insertJobs([newJob(JOBS + ids.length)]);
      ids.push(added!);
      live.note({ type: "INSERT", row: (await readLightJob(server, added!))! });
      return;
    }
    case "delete":
      await db.deleteFrom("jobs").where("id", "=", id).execute();
      ids.splice(ids.indexOf(id), 1);
      live.note({ type: "DELETE", id });
      return;
    case "status":
      await update({ status: JOB_STATUSES[change.status % JOB_STATUSES.length]! });
      break;
    case "progress":
      await update({ progress: change.job % 100 });
      break;
    case "name a file":
      await db
        .updateTable("job_search")
        .set({ search_text: sql`search_text || ' harbor.mp4'` })
        .where("job_id", "=", id)
        .execute();
      await update({ progress: 1 });
  }
  live.note({ type: "UPDATE", row: (await readLightJob(server, id))! });
}

// spec 4.2.3, 4.2.4, 4.2.5
test("after any changes of 200 jobs, the list of every filter and search equals a fresh load", async () => {
  await assert(
    asyncProperty(changes, async (made) => {
      await db.deleteFrom("jobs").execute();
      const ids = await insertJobs(Array.from({ length: JOBS }, (_, index) => newJob(index)));
      const screen = openScreen();
      try {
        await expect.poll(() => FILTERS.every((filter) => shown(screen.client, filter))).toBe(true);
        for (const change of made) await make(change, ids, screen);
        await expect.poll(() => screen.client.isFetching()).toBe(0);
        for (const filter of FILTERS) {
          const fresh = await readFresh(filter);
          await vi.waitFor(() => {
            const { jobs, total, isWhole: hasAll } = shown(screen.client, filter)!;
            const expected = hasAll ? fresh.jobs : fresh.jobs.slice(0, jobs.length);
            expect({ filter, total, jobs: jobs.map(visible) }).toEqual({
              filter,
              total: fresh.total,
              jobs: expected.map(visible),
            });
          }, 15_000);
        }
      } finally {
        screen.close();
      }
    }),
    // One run loads and compares dozens of lists, which takes seconds. Change the seed to test other changes.
    { numRuns: 1, seed: 36, endOnFailure: true },
  );
}, 180_000);
