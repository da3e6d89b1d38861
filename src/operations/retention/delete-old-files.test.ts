import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { Job, JobStatus } from "#contract/jobs/jobs.ts";
import { openJobZip } from "../downloads/open-job-zip.ts";
import { deleteJobs } from "../jobs/delete-jobs.ts";
import { foldersOf } from "../jobs/job-folders.ts";
import { readJob, readJobOutputs, readJobVideos } from "../jobs/read/read-job.ts";
import { retryJob } from "../jobs/retry-job.ts";
import { saveSettings } from "../settings/save-settings.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { deleteOldFiles } from "./delete-old-files.ts";

const NO_PAGES = { embeddedPages: { batchScheduler: null, warmupRobot: null }, ownOrigins: [] };

const DAY_MS = 86_400_000;
const ENDED_AT = Date.parse("2026-03-01T12:00:00.000Z");

let server: TestServer;
let context: TestServer["context"];
/** Folders of every added job, including deleted ones. */
let folders: string[] = [];
afterEach(() => server.close());

/** Adds a job that ended at ENDED_AT with one stored file and its thumbnail. */
async function addEnded(status: JobStatus = "Completed"): Promise<Job> {
  const { id } = await server.create();
  const [video] = await readJobVideos(context, id);
  const { outputs, thumbnails } = foldersOf({ id, output_folder: null });
  folders.push(outputs, thumbnails);
  const keys = { storage_key: `${outputs}/clip.mp4`, thumbnail_key: `${thumbnails}/clip.jpg` };
  for (const key of Object.values(keys)) {
    const file = path.join(server.folder, "to-store");
    await writeFile(file, "a film");
    await context.storage.put(key, file);
  }
  await context.db
    .insertInto("job_outputs")
    .values({
      ...keys,
      job_id: id,
      video_id: video!.id,
      variant: 0,
      segment: 0,
      name: "clip.mp4",
      status: "Completed",
      size_bytes: 6,
      crc32: 1,
    })
    .execute();
  const updated_at = new Date(ENDED_AT).toISOString();
  await context.db.updateTable("jobs").set({ status, updated_at }).where("id", "=", id).execute();
  return (await readJob(context, id))!;
}

async function storedFiles(): Promise<string[]> {
  return (await Promise.all(folders.map((folder) => server.listStored(folder)))).flat();
}

const after = (days: number, ms = 0) => new Date(ENDED_AT + days * DAY_MS + ms);

async function open(): Promise<void> {
  server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
  ({ context } = server);
  folders = [];
}

describe("the files of ended jobs", () => {
  it("are deleted once, even if several servers look for them at the same time", async () => {
    await open();
    for (let i = 0; i < 3; i += 1) await addEnded();
    const rounds = await Promise.all([1, 2, 3].map(() => deleteOldFiles(context, after(30, 1))));
    expect(rounds.reduce((sum, jobs) => sum + jobs)).toBe(3);
    expect(await storedFiles()).toEqual([]);
    expect(await context.db.selectFrom("pending_file_deletions").selectAll().execute()).toEqual([]);
  });

  it("are deleted once by deletions at the same time, and again after a failure", async () => {
    await open();
    const jobIds: string[] = [];
    for (let i = 0; i < 6; i += 1) jobIds.push((await addEnded()).id);
    const removed: string[] = [];
    const isDown = new Set([folders[0]!]);
    const removeAll = async (prefix: string) => {
      removed.push(prefix);
      if (isDown.has(prefix)) throw new Error("The storage is down.");
      await server.context.storage.removeAll(prefix);
    };
    const counted = { ...context, storage: { ...context.storage, removeAll } };
    const [own, others] = [jobIds.slice(0, 3), jobIds.slice(3)];
    await Promise.all([deleteJobs(counted, own), deleteJobs(counted, others), deleteOldFiles(counted, after(0))]);
    await deleteJobs(counted, []);
    const again = removed.filter((prefix) => !isDown.has(prefix));
    expect(again.toSorted()).toEqual(folders.slice(1).toSorted());
    isDown.clear();
    await deleteJobs(counted, []);
    expect(await storedFiles()).toEqual([]);
  });

  it("are deleted after 30 days, while the job stays and shows it", async () => {
    await open();
    const job = await addEnded();
    expect(job).toMatchObject({ download_url: expect.any(String), files_kept_until: after(30).toISOString() });
    expect(await deleteOldFiles(context, after(30))).toBe(0);
    expect((await storedFiles()).length).toBe(2);

    expect(await deleteOldFiles(context, after(30, 1))).toBe(1);
    expect(await storedFiles()).toEqual([]);
    const emptied = (await readJob(context, job.id))!;
    const gone = {
      thumbnail_url: null,
      download_url: null,
      manifest_url: null,
      files_kept_until: null,
      files_deleted_at: after(30, 1).toISOString(),
    };
    expect(emptied).toEqual({ ...job, ...gone });
    expect(await readJobOutputs(context, job.id)).toMatchObject([
      { status: "Completed", size_bytes: 6, media_url: null, thumbnail_url: null },
    ]);
    await expect(openJobZip(context, job.id)).rejects.toMatchObject({ code: "not_found" });
    expect(await deleteOldFiles(context, after(31))).toBe(0);
  });

  it("are deleted after the saved number of days, and never with null", async () => {
    await open();
    const job = await addEnded("Cancelled");
    const keptUntil = async () => (await readJob(context, job.id))!.files_kept_until;
    await saveSettings(context, { output_retention_days: null }, NO_PAGES);
    expect(await keptUntil()).toBeNull();
    expect(await deleteOldFiles(context, after(10_000))).toBe(0);
    await saveSettings(context, { output_retention_days: 7 }, NO_PAGES);
    expect(await keptUntil()).toBe(after(7).toISOString());
    expect(await deleteOldFiles(context, after(7))).toBe(0);
    expect(await deleteOldFiles(context, after(7, 1))).toBe(1);
    expect((await readJob(context, job.id))!.status).toBe("Cancelled");
  });

  it("stay while the job runs, regardless of how long", async () => {
    await open();
    await addEnded("Processing");
    expect(await deleteOldFiles(context, after(10_000))).toBe(0);
    expect((await storedFiles()).length).toBe(2);
  });

  it("are removed by a later round if storage fails, even once the job is deleted", async () => {
    await open();
    const job = await addEnded();
    const stuck = { ...context.storage, removeAll: () => Promise.reject(new Error("Not today.")) };
    expect(await deleteOldFiles({ ...context, storage: stuck }, after(31))).toBe(1);
    expect((await storedFiles()).length).toBe(2);
    expect((await deleteJobs({ ...context, storage: stuck }, [job.id])).deleted).toEqual([job.id]);
    await deleteOldFiles(context, after(31));
    expect(await storedFiles()).toEqual([]);
  });

  it("are deleted several at a time", async () => {
    await open();
    await addEnded();
    let [running, most] = [0, 0];
    const removeAll = async () => {
      running += 1;
      most = Math.max(most, running);
      await Promise.resolve();
      running -= 1;
    };
    expect(await deleteOldFiles({ ...context, storage: { ...context.storage, removeAll } }, after(31))).toBe(1);
    expect(most).toBe(2);
  });

  it("are left to housekeeping, even with unlimited retention, if a deletion would take too long", async () => {
    await open();
    const job = await addEnded();
    await saveSettings(context, { output_retention_days: null }, NO_PAGES);
    vi.useFakeTimers({ toFake: ["performance"] });
    onTestFinished(() => void vi.useRealTimers());
    const removeAll = (prefix: string) => {
      vi.advanceTimersByTime(60_000);
      return context.storage.removeAll(prefix);
    };
    const slow = { ...context, storage: { ...context.storage, removeAll } };
    expect((await deleteJobs(slow, [job.id])).deleted).toEqual([job.id]);
    expect((await storedFiles()).length).toBe(1);
    await deleteOldFiles(slow, after(31));
    expect(await storedFiles()).toEqual([]);
  });

  it("cannot be added by a retry once they are deleted", async () => {
    await open();
    const job = await addEnded();
    await context.db.updateTable("job_videos").set({ status: "Failed" }).where("job_id", "=", job.id).execute();
    await deleteOldFiles(context, after(31));
    await expect(retryJob(context, job.id)).rejects.toMatchObject({
      code: "conflict",
      message: "This job's files were deleted when their retention period ended. Rerun the job instead.",
    });
  });
});
