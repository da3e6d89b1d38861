import { sql } from "kysely";
import { pino } from "pino";
import { expect, it } from "vitest";
import { createJob } from "#operations/jobs/create/create-job.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openTestContext } from "#tests/support/test-context.ts";
import { startWakingHosts } from "./wake-hosts.ts";

const folder = await makeScratchFolder();

it("makes a waiting task count as load once its host can be tried, although no worker runs", async () => {
  await using stack = new AsyncDisposableStack();
  const { context } = await openTestContext(stack, folder);
  const { db } = context;
  await createJob(context, { job_name: "A job", input_videos: ["https://drive.google.com/file/d/clip/view"] }, null);
  await sql`update job_videos set waiting_since = now(), waits_for = 'google-drive'`.execute(db);
  await sql`update pgboss.job set start_after = now() + interval '1 day'`.execute(db);
  const check = async () => {
    await startWakingHosts({ ...context, log: pino({ level: "silent" }) }).stop();
    return (await sql<{ load: number }>`select queue_load() as load`.execute(db)).rows[0]!.load;
  };
  await sql`insert into hosts (host, failures, failed_at, reason, cooling_since, cools_until, cooldown_seconds)
    values ('google-drive', 3, now(), 'It is down.', now(), now() + interval '1 minute', 60)`.execute(db);
  expect(await check()).toBe(0);
  await sql`update hosts set cools_until = now()`.execute(db);
  expect(await check()).toBe(1);
});
