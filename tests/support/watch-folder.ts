/** Treats every file whose name starts with "video" as a video. */
import { randomUUID } from "node:crypto";
import { mkdir, readFile } from "node:fs/promises";
import path from "node:path";
import { sql } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { WatchFile, WatchFolder } from "#contract/watch-folders/watch-folders.ts";
import type { Probe } from "#media/probe/probe.ts";
import { addPreset } from "#operations/presets/change-presets.ts";
import { openResumableUploads } from "#operations/library/resumable/resumable-uploads.ts";
import type { UploadIntake } from "#operations/library/upload-intake.ts";
import { addWatchFolder } from "#operations/watch-folders/add-watch-folder.ts";
import { checkFolder } from "#operations/watch-folders/check/check-folder.ts";
import { listWatchFiles } from "#operations/watch-folders/list-watch-folders.ts";
import { listLocalNames } from "#operations/watch-folders/local/local-folders.ts";
import type { WatchContext } from "#operations/watch-folders/watch-context.ts";
import { TASK_CHANNEL } from "#queue/task-table.ts";
import { openTestContext, type TestContextOptions } from "./test-context.ts";

/** Local folders are below `folder`/watch. `stack` closes the context. */
export async function openWatchContext(
  stack: AsyncDisposableStack,
  folder: string,
  options: TestContextOptions & { named?: ReadonlyMap<string, string> } = {},
): Promise<WatchContext> {
  const { context } = await openTestContext(stack, folder, options);
  const incoming = path.join(folder, "uploads");
  await mkdir(incoming, { recursive: true });
  const uploads: UploadIntake = {
    folder: incoming,
    underWay: new Set(),
    resumable: stack.use(await openResumableUploads(path.join(folder, "resumable-uploads"))),
    probe: async (file) => {
      if ((await readFile(file, "utf8")).startsWith("video")) return { durationSeconds: 1, video: {} } as Probe;
      throw new ClipmillError("not_a_video", "This file is not a video.");
    },
    drawThumbnail: () => Promise.resolve(null),
    drawImageThumbnail: () => Promise.reject(new Error("no images")),
  };
  return {
    ...context,
    uploads,
    localRoots: { managed: path.join(folder, "watch"), named: options.named ?? new Map() },
  };
}

/** Also adds a preset. Uses the local folder "incoming" by default. */
export async function addTestFolder(context: WatchContext, fields: Record<string, unknown> = {}): Promise<WatchFolder> {
  const preset_id = fields["preset_id"] ?? (await addTestPreset(context));
  const usual = { name: "Drop", kind: "local", place: "incoming", existing: "take", preset_id };
  return await addWatchFolder(context, { ...usual, ...fields }, null);
}

async function addTestPreset(context: WatchContext): Promise<string> {
  const preset = { name: `Preset ${randomUUID()}`, settings: {} };
  return (await context.db.transaction().execute((trx) => addPreset({ ...context, trx }, preset))).id;
}

/** Checks due folders as one server does, until none is due. */
export async function checkDue(context: WatchContext, signal = new AbortController().signal): Promise<void> {
  const names = await listLocalNames(context.localRoots);
  for (;;) {
    const folder = await context.db
      .selectFrom("watch_folders")
      .select(["id", "place"])
      .where("paused_at", "is", null)
      .where((eb) => eb.or([eb("kind", "!=", "local"), eb("place", "in", ["", ...names])]))
      // Stored in milliseconds, so that now() may be rounded up to a time that has not come yet.
      .where(sql<boolean>`next_check_at <= now() + interval '1 ms'`)
      .orderBy("next_check_at")
      .executeTakeFirst();
    if (!folder) return;
    await checkFolder(context, { folderId: folder.id, labels: [], attempt: 1, isRetried: true, signal });
  }
}

/** Simulates a minute: every folder is due, and unchanged files have settled. */
export async function passTime(context: Pick<WatchContext, "db">): Promise<void> {
  await sql`update watch_folders set next_check_at = now()`.execute(context.db);
  await sql`update pgboss.job set start_after = now() where name = 'folders' and state < 'active'`.execute(context.db);
  await sql`select pg_notify(${TASK_CHANNEL}, 'folders')`.execute(context.db);
  await sql`update watch_files set same_since = same_since - interval '1 minute'`.execute(context.db);
}

/** Runs two checks with a minute between them, so that files that do not grow become jobs. */
export async function settleFiles(context: WatchContext): Promise<void> {
  await passTime(context);
  await checkDue(context);
  await passTime(context);
  await checkDue(context);
}

export async function statesOf(context: WatchContext, id: string): Promise<Record<string, string>> {
  const files = await allFiles(context, id);
  return Object.fromEntries(
    files.map(({ name, state, reason }) => [name, reason === null ? state : `${state}: ${reason}`]),
  );
}

export async function allFiles(context: WatchContext, id: string): Promise<WatchFile[]> {
  const files: WatchFile[] = [];
  for (;;) {
    const page = await listWatchFiles(context, { id, after: files.at(-1)?.id });
    if (page.length === 0) return files;
    files.push(...page);
  }
}
