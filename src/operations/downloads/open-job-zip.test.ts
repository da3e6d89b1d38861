import type { KyselyPlugin } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { readJobVideos } from "../jobs/read/read-job.ts";
import { reviewOutputs } from "../jobs/review/review-outputs.ts";
import { openJobZip } from "./open-job-zip.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

let reads = 0;
const counting: KyselyPlugin = {
  transformQuery: ({ node }) => {
    reads += 1;
    return node;
  },
  transformResult: async ({ result }) => result,
};

async function addCompleted(files: number): Promise<string> {
  const { id } = await server.create();
  const [video] = await readJobVideos(server.context, id);
  const rows = Array.from({ length: files }, (_, variant) => ({
    ...{ job_id: id, video_id: video!.id, variant, segment: 0, name: `${variant}.mp4`, status: "Completed" as const },
    ...{ size_bytes: 6, crc32: 1, storage_key: `outputs/${id}/${variant}.mp4` },
  }));
  await server.context.db.insertInto("job_outputs").values(rows).execute();
  await server.context.db.updateTable("jobs").set({ status: "Completed" }).where("id", "=", id).execute();
  return id;
}

/** Also counts the queries. */
async function open(id: string, contents?: "approved") {
  reads = 0;
  const context = { ...server.context, db: server.context.db.withPlugin(counting) };
  const { etag } = await openJobZip(context, id, contents);
  return { etag, reads };
}

it("reads a job's files once for all ranges of its zip, until something changes", async () => {
  const id = await addCompleted(3);
  const first = await open(id);
  const all = await Promise.all([open(id), open(id)]);
  expect(all.map(({ etag }) => etag)).toEqual([first.etag, first.etag]);
  expect(await open(id)).toEqual({ etag: first.etag, reads: 1 });
  expect(first.reads).toBeGreaterThan(2);

  await expect(open(id, "approved")).rejects.toMatchObject({ code: "not_found" });
  const { id: outputId } = await server.context.db
    .selectFrom("job_outputs")
    .select("id")
    .where("job_id", "=", id)
    .orderBy("variant")
    .executeTakeFirstOrThrow();
  await reviewOutputs(server.context, [{ outputId, verdict: "approved", reason: null }]);
  const approved = await open(id, "approved");
  expect(approved.etag).not.toBe(first.etag);
  expect((await open(id, "approved")).reads).toBe(1);

  await server.context.db.updateTable("cloak_changes").set({ changes: 1 }).execute();
  expect((await open(id)).reads).toBe(first.reads);
  await server.context.db.updateTable("jobs").set({ download_enabled: false }).where("id", "=", id).execute();
  await expect(open(id)).rejects.toMatchObject({ code: "not_found" });
});
