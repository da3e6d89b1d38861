import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { parseFolderLink } from "#contract/sources/links.ts";
import {
  type ConnectedKind,
  isConnected,
  type WatchFolder,
  type WatchKind,
  WATCH_LIMITS,
} from "#contract/watch-folders/watch-folders.ts";
import { addWatchFolderSchema } from "#contract/watch-folders/watch-requests.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { Tables } from "#database/tables.ts";
import { writeAudit } from "../audit/write-audit.ts";
import { parseInput } from "../parse-input.ts";
import { readAcceptedSources } from "../sources/accepted-sources.ts";
import { makeLocalFolder } from "./local/local-folders.ts";
import { readWatchFolder, requireConnection, requireFreeName, requirePreset } from "./store-watch-folder.ts";
import { enqueueCheck } from "./check/schedule-checks.ts";
import type { WatchContext } from "./watch-context.ts";

/**
 * Creates a missing local folder below DATA_DIR/watch. Throws ClipmillError "invalid", "not_found" (preset or
 * connection) or "conflict".
 */
export async function addWatchFolder(
  context: WatchContext,
  body: unknown,
  accountId: string | null,
): Promise<WatchFolder> {
  const fields = parseInput(addWatchFolderSchema, body);
  await requirePlace(context, fields);
  const id = await context.db.transaction().execute(async (trx) => {
    await lockChanges(trx, "watch_folders");
    await requireRoom(trx);
    await requireFreeName(trx, fields.name, null);
    await requirePreset(trx, context.actor, fields.preset_id);
    await requireConnection(trx, fields.kind, fields.connection_id);
    const row = { ...fields, created_by: accountId };
    const added = await trx.insertInto("watch_folders").values(row).returning("id").executeTakeFirstOrThrow();
    await writeAudit(trx, context.actor, { action: "watch_folders.add", subjects: [added.id] });
    await enqueueCheck(context, trx, [{ id: added.id, ...fields }]);
    return added.id;
  });
  return await readWatchFolder(context, id);
}

async function requireRoom(trx: Transaction<Tables>): Promise<void> {
  const { count } = await trx
    .selectFrom("watch_folders")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .executeTakeFirstOrThrow();
  if (count < WATCH_LIMITS.folders) return;
  throw new ClipmillError("conflict", `There can be at most ${WATCH_LIMITS.folders} watch folders. Remove one first.`);
}

const PLACES: Record<Exclude<WatchKind, "local" | ConnectedKind>, string> = {
  s3: 'Enter a link to a folder in a bucket, such as "s3://bucket/incoming/". S3 must be turned on in Settings.',
  "google-drive": "Enter the link to a Google Drive folder that is shared with anyone with the link.",
};

async function requirePlace(context: WatchContext, { kind, place }: { kind: WatchKind; place: string }): Promise<void> {
  if (kind === "local") return await makeLocalFolder(context.localRoots, place);
  if (isConnected(kind)) return;
  const folder = parseFolderLink(place, await readAcceptedSources(context));
  if (folder?.host !== kind) throw new ClipmillError("invalid", PLACES[kind]);
}
