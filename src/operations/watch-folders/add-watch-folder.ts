import { sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { parseFolderLink } from "#contract/sources/links.ts";
import {
  type ConnectedKind,
  isConnected,
  WATCH_LIMITS,
  type WatchFolder,
  type WatchKind,
} from "#contract/watch-folders/watch-folders.ts";
import { addWatchFolderSchema } from "#contract/watch-folders/watch-requests.ts";
import { lockChanges } from "#database/lock-changes.ts";
import type { Tables } from "#database/tables.ts";
import { type Actor, writeAudit } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { parseInput } from "../parse-input.ts";
import { readPreset } from "../presets/change-presets.ts";
import { readAcceptedSources } from "../sources/prepare-sources.ts";
import { requireScope } from "../tokens/find-token.ts";
import { enqueueCheck } from "./check/schedule-checks.ts";
import { listWatchFolders } from "./list-watch-folders.ts";
import { makeLocalFolder } from "./local/local-folders.ts";
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

/** Throws ClipmillError "conflict" for a name in use. */
export async function requireFreeName(trx: Transaction<Tables>, name: string, id: string | null): Promise<void> {
  const other = await trx
    .selectFrom("watch_folders")
    .select("id")
    .where(sql`lower(name)`, "=", sql`lower(${name}::text)`)
    .where(sql<boolean>`id is distinct from ${id}::uuid`)
    .executeTakeFirst();
  if (!other) return;
  throw new ClipmillError("conflict", `There is already a watch folder named "${name}". Choose another name.`);
}

/** Throws ClipmillError "not_found", or like requireLinkScope. */
export async function requirePreset(trx: Transaction<Tables>, actor: Actor, id: string): Promise<void> {
  // locked, so that it is not deleted before the watch folder refers to it
  const locked = await trx.selectFrom("presets").select("id").where("id", "=", id).forKeyShare().executeTakeFirst();
  if (!locked) throw new ClipmillError("not_found", "This preset no longer exists. Choose another one.");
  await requireLinkScope(trx, actor, id);
}

/** Throws ClipmillError "forbidden" for an API token that may not make the preset's links. */
export async function requireLinkScope(trx: Transaction<Tables>, actor: Actor, presetId: string | null): Promise<void> {
  if (!actor.scopes || presetId === null) return;
  const preset = await readPreset(trx, presetId);
  if ((preset?.settings.link_domain_id ?? null) !== null) requireScope(actor, "cloak");
}

/** Throws ClipmillError "not_found", or "invalid" for a connection of another kind. */
export async function requireConnection(trx: Transaction<Tables>, kind: WatchKind, id: string | null): Promise<void> {
  if (id === null) return;
  const row = await trx.selectFrom("connections").select("kind").where("id", "=", id).forKeyShare().executeTakeFirst();
  if (!row) throw new ClipmillError("not_found", "This connection no longer exists. Choose another one.");
  if (isConnected(kind) && row.kind === kind) return;
  throw new ClipmillError("invalid", "This connection is for another kind of folder.");
}

/** Throws ClipmillError "not_found". */
export async function readWatchFolder(context: Pick<Context, "db">, id: string): Promise<WatchFolder> {
  const [folder] = await listWatchFolders(context, id);
  if (!folder) throw watchFolderGone();
  return folder;
}

export function watchFolderGone(): ClipmillError {
  return new ClipmillError("not_found", "This watch folder no longer exists.");
}
