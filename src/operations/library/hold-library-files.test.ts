import { sql } from "kysely";
import { expect, it } from "vitest";
import { openPostgresDatabase } from "#tests/support/postgres.ts";
import { startTestServer } from "#tests/support/server.ts";
import { createJob } from "../jobs/create-job.ts";
import { deleteLibraryFile } from "./delete-library-file.ts";

it("keeps a file that a job being created needs from a delete at the same moment", async () => {
  const server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
  try {
    const { context } = server;
    const file = { id: "abcdefgh", name: "x.mp4", kind: "video", storage_key: "library/abcdefgh" } as const;
    const facts = { size_bytes: 1, duration_seconds: 1, is_sample: false };
    await context.db
      .insertInto("library_files")
      .values({ ...file, ...facts })
      .execute();
    // The creation stops right before its end until the delete has come.
    const reached = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const enqueueVideos: typeof context.queue.enqueueVideos = async (...task) => {
      reached.resolve();
      await goOn.promise;
      await context.queue.enqueueVideos(...task);
    };
    const creating = createJob(
      { ...context, queue: { ...context.queue, enqueueVideos } },
      { job_name: "A job", input_videos: [`https://clipmill.local/file/d/${file.id}`] },
      null,
    );
    await reached.promise;
    const deleting = deleteLibraryFile(context, file.id).then(
      () => "deleted",
      (error: Error) => error.message,
    );
    const waiting = async () => {
      const query = sql<{ count: number }>`select count(*)::int from pg_stat_activity where wait_event_type = 'Lock'`;
      return (await query.execute(context.db)).rows[0]!.count;
    };
    await expect.poll(waiting).toBeGreaterThan(0);
    goOn.resolve();
    await creating;
    expect(await deleting).toBe("A job that has not ended yet needs this file. Cancel the job or wait for its end.");
  } finally {
    await server.close();
  }
});
