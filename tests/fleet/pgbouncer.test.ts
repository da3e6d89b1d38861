/** Gives PgBouncer (transaction mode) fewer connections than server and worker have. */
import path from "node:path";
import { REALTIME_SUBSCRIBE_STATES } from "@supabase/supabase-js";
import { sql } from "kysely";
import { afterAll, expect, it } from "vitest";
import { openDatabase } from "#database/open-database.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { createJob, hasEnded, readJob, signedInClient } from "#tests/support/servers/client.ts";
import { openInstalledFleet } from "#tests/support/servers/fleet.ts";
import { findPgBouncer, startPgBouncer } from "#tests/support/servers/databases/pgbouncer.ts";
import { startDriveTwin } from "#tests/support/twins/google-drive/google-drive-twin.ts";

const POOL = 3;
/** Starting whole programs is slow on a busy machine. */
const LONG_TIMEOUT = { timeout: 180_000 };

const isInstalled = findPgBouncer() !== null;
if (!isInstalled) console.log("PgBouncer is not tested: it is not installed (Debian: pgbouncer).");
const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());

it.runIf(isInstalled)("run a job, with live updates, through a pool of three connections", LONG_TIMEOUT, async () => {
  const twin = await startDriveTwin();
  stack.defer(() => twin.close());
  const fleet = await openInstalledFleet(twin.environment);
  stack.defer(() => fleet.close());
  const pool = (await startPgBouncer(fleet.databaseUrl, POOL))!;
  stack.defer(() => pool.stop());
  const environment = { DATABASE_SESSION_URL: fleet.databaseUrl };
  const options = { databaseUrl: pool.urlOf(fleet.databaseUrl), environment };
  const [server] = await Promise.all([fleet.start("server", options), fleet.start("worker", options)]);
  const client = await signedInClient(server.url);

  const statuses: string[] = [];
  const channel = client.channel("jobs");
  const joined = Promise.withResolvers<void>();
  channel
    .on("postgres_changes", { event: "*", schema: "public", table: "jobs" }, ({ new: job }) => {
      statuses.push((job as { status: string }).status);
    })
    .subscribe((status) => status === REALTIME_SUBSCRIBE_STATES.SUBSCRIBED && joined.resolve());
  await joined.promise;

  const file = path.join(fleet.folder, "clip.mp4");
  await makeClip(file, { width: 216, height: 384, seconds: 1 });
  const links = ["a", "b", "c", "d"].map((id) => {
    twin.add({ id, path: file, name: `${id}.mp4`, mimeType: "video/mp4" });
    return twin.links(id);
  });
  const job = await createJob(client, { input_videos: links });
  await expect.poll(() => hasEnded(client, job.id), { timeout: 90_000 }).toBe(true);
  expect(await readJob(client, job.id)).toMatchObject({ status: "Completed", progress: 100, current_video: 4 });
  await expect.poll(() => statuses).toContain("Completed");
  await client.removeAllChannels();

  const direct = await openDatabase({ databaseUrl: fleet.databaseUrl, dataDir: null, isWorker: true });
  stack.defer(() => direct.close());
  const { rows } = await sql<{ count: number }>`
    select count(*)::int from pg_stat_activity where backend_type = 'client backend'`.execute(direct.db);
  // The pool's, one per program for LISTEN, and this one.
  expect(rows[0]!.count).toBeLessThanOrEqual(POOL + 2 + 1);
});
