/** Backup and restore of an embedded database on disk with many outputs: duration, and delay of other queries. */
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { sql } from "kysely";
import { migrate } from "#database/migrate.ts";
import { type Database, openDatabase } from "#database/open-database.ts";
import { backUp } from "#operations/backup/back-up.ts";
import { restore } from "#operations/backup/restore.ts";
import { openFolderStorage } from "#storage/open-storage.ts";
import { openQueue } from "#queue/open-queue.ts";

const OUTPUTS = Number(process.argv[2] ?? 100_000);
const OUTPUTS_PER_VIDEO = 10;
const VIDEOS_PER_JOB = 10;

const folder = await mkdtemp(path.join(os.tmpdir(), "clipmill-bench-backup-"));
const database = await openDatabase({ dataDir: path.join(folder, "data") });
await migrate(database.db);
await (await openQueue(database, () => {})).stop();
console.log(`Creating ${OUTPUTS.toLocaleString("en")} outputs.`);
await fill(database);

const source = { db: database.db, files: null, secret: { files: [] }, leavesSecretOut: true, actor: null };
const backup = path.join(folder, "backup");
const waits = measureWaits(database);
const fromMs = performance.now();
const cpuBefore = process.cpuUsage();
const report = await backUp(source, backup);
const backupSeconds = (performance.now() - fromMs) / 1_000;
const cpu = process.cpuUsage(cpuBefore);
const { maxQueryMs, maxPauseMs } = await waits.stop();
console.log(`${report.rows.toLocaleString("en")} rows, ${((await sizeOf(backup)) / 1e6).toFixed(1)} MB.`);
console.log(`CPU time: ${((cpu.user + cpu.system) / 1e6).toFixed(1)} s.`);
console.log(
  `The snapshot was open for ${report.snapshotSeconds.toFixed(1)} s, the backup took ${backupSeconds.toFixed(1)} s.`,
);
console.log(
  `Longest query: ${(maxQueryMs / 1_000).toFixed(1)} s; longest event loop delay: ${maxPauseMs.toFixed(0)} ms.`,
);
await database.close();

const target = await openDatabase({ dataDir: path.join(folder, "there") });
const files = {
  storage: await openFolderStorage(path.join(folder, "there/files")),
  isFolder: true,
  scratch: path.join(folder, "scratch"),
};
const restoreFromMs = performance.now();
await restore(
  {
    database: target,
    files,
    secrets: null,
    isSecretLost: true,
    keepSecret: async () => {},
    skipsDamagedFiles: false,
    actor: null,
  },
  backup,
);
console.log(`The restore took ${((performance.now() - restoreFromMs) / 1_000).toFixed(1)} s.`);
await target.close();
await rm(folder, { recursive: true, force: true });

async function fill({ db }: Database): Promise<void> {
  const videos = OUTPUTS / OUTPUTS_PER_VIDEO;
  const jobs = videos / VIDEOS_PER_JOB;
  await sql`insert into jobs (job_name, status, input_videos, captions_enabled, custom_captions, audio_enabled,
      custom_audio_links, audio_mode, watermark_enabled, variants_per_video, video_gain, music_gain, loop_audio,
      segment_duration, download_enabled, total_videos)
    select 'Batch ' || n, 'Completed', array['https://drive.google.com/file/d/' || n || '/view'], true,
      array['A caption of the usual length, number ' || n], false, '{}', 'mix', false, 10, 1, 0.5, true, 30, true, 10
    from generate_series(1, ${jobs}) as n`.execute(db);
  await sql`insert into job_videos (job_id, position, link, status, attempts)
    select id, n, 'https://drive.google.com/file/d/' || n || '/view', 'Completed', 1
    from jobs, generate_series(0, ${VIDEOS_PER_JOB - 1}) as n`.execute(db);
  await sql`insert into job_outputs (job_id, video_id, variant, segment, name, status, progress, caption, duration_seconds,
      width, height, size_bytes, crc32, storage_key, thumbnail_key)
    select job_id, id, n, 0, '001-v' || n || '-clip.mp4', 'Completed', 100, 'A caption of the usual length, number ' || n,
      14.966666, 1080, 1920, 5123456, 3735928559, 'outputs/' || job_id || '/001-v' || n || '-clip.mp4',
      'thumbnails/' || job_id || '/' || id || '.jpg'
    from job_videos, generate_series(0, ${OUTPUTS_PER_VIDEO - 1}) as n`.execute(db);
}

/** Small queries run continuously, like a heartbeat. */
function measureWaits({ db }: Database): { stop(): Promise<{ maxQueryMs: number; maxPauseMs: number }> } {
  let maxQueryMs = 0;
  let maxPauseMs = 0;
  const stopping = new AbortController();
  const ask = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const startMs = performance.now();
      await sql`select 1`.execute(db);
      maxQueryMs = Math.max(maxQueryMs, performance.now() - startMs);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  let lastMs = performance.now();
  const ticking = setInterval(() => {
    maxPauseMs = Math.max(maxPauseMs, performance.now() - lastMs - 5);
    lastMs = performance.now();
  }, 5);
  const asking = ask();
  return {
    async stop() {
      stopping.abort();
      await asking;
      clearInterval(ticking);
      return { maxQueryMs, maxPauseMs };
    },
  };
}

async function sizeOf(root: string): Promise<number> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile());
  const sizes = await Promise.all(files.map(async (file) => (await stat(path.join(file.parentPath, file.name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}
