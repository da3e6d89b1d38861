import { sql, type Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import { isConnected, type WatchFolder, type WatchKind } from "#contract/watch-folders/watch-folders.ts";
import type { Tables } from "#database/tables.ts";
import type { Actor } from "../audit/actor.ts";
import type { Context } from "../context.ts";
import { readPreset } from "../presets/read-preset.ts";
import { requireScope } from "../tokens/require-scope.ts";
import { listWatchFolders } from "./list-watch-folders.ts";

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
