import { sql, type Transaction } from "kysely";
import { LEFT_OUT } from "#contract/watch-folders/left-out.ts";
import { isCopied } from "#contract/watch-folders/watch-folders.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../../context.ts";
import { type Changes, compareListing, type KnownFile, versionOf, type ListedFile } from "./compare-listing.ts";
import { forgetDeletedCopies } from "./deleted-copies.ts";

/** PostgreSQL accepts at most 65,535 values per statement. */
const FILES_PER_STATEMENT = 5_000;

/** Does nothing if the folder was removed or paused meanwhile. */
export async function recordListing(
  context: Pick<Context, "db">,
  folderId: string,
  listed: readonly ListedFile[],
): Promise<void> {
  await context.db.transaction().execute(async (trx) => {
    const folder = await lockFolder(trx, folderId);
    if (!folder) return;
    await forgetFuture(trx, folderId);
    await forgetDeletedCopies(trx, folderId);
    const known = await readKnown(trx, folderId, listed);
    const isFirst = folder.first_check_at === null;
    const changes = compareListing(known, listed, isCopied(folder.kind));
    await apply(trx, folderId, changes, isFirst && folder.existing === "skip");
    if (isFirst) {
      await trx
        .updateTable("watch_folders")
        .set({ first_check_at: sql<string>`now()` })
        .where("id", "=", folderId)
        .execute();
    }
  });
}

/** Excludes paused folders. Files change only under this lock. */
export function lockFolder(trx: Transaction<Tables>, id: string) {
  return trx
    .selectFrom("watch_folders")
    .selectAll()
    .where("id", "=", id)
    .where("paused_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
}

/** Skips files no longer in the folder, which are kept for months. */
async function readKnown(
  trx: Transaction<Tables>,
  folderId: string,
  listed: readonly ListedFile[],
): Promise<KnownFile[]> {
  const files = trx
    .selectFrom("watch_files")
    .select(["id", "path", "name", "revision", "state", "link", "reason_code", "missing_since"])
    .where("folder_id", "=", folderId);
  // As in the index.
  const current = await files.where(sql<boolean>`(missing_since is null or state = 'seen')`).execute();
  const versions = new Set(current.map(versionOf));
  const others = listed.filter((file) => !versions.has(versionOf(file)));
  if (others.length === 0) return current;
  const [paths, revisions] = [others.map(({ path }) => path), others.map(({ revision }) => revision)];
  const earlier = await files
    .where(sql<boolean>`(path, revision) in (select * from unnest(${paths}::text[], ${revisions}::text[]))`)
    .execute();
  return [...current, ...earlier];
}

/** After the database's clock was set back, files would wait until it has caught up. */
async function forgetFuture(trx: Transaction<Tables>, folderId: string): Promise<void> {
  await trx
    .updateTable("watch_files")
    .set({ same_since: sql<string>`now()` })
    .where("folder_id", "=", folderId)
    .where("state", "=", "seen")
    .where("same_since", ">", sql<string>`now()`)
    .execute();
}

async function apply(
  trx: Transaction<Tables>,
  folderId: string,
  { added, changed, back, gone, missing, finished }: Changes,
  skipsNew: boolean,
): Promise<void> {
  // First: a renamed file is a new one.
  if (finished.length > 0) {
    await trx
      .deleteFrom("watch_files")
      .where("id", "=", sql<string>`any(${finished}::uuid[])`)
      .execute();
  }
  if (changed.length > 0) await replaceVersions(trx, changed);
  for (let start = 0; start < added.length; start += FILES_PER_STATEMENT) {
    const some = added.slice(start, start + FILES_PER_STATEMENT);
    const rows = some.map((file) => Object.assign(toColumns(file, skipsNew), { folder_id: folderId, path: file.path }));
    await trx.insertInto("watch_files").values(rows).execute();
  }
  const now = sql<string>`now()`;
  const update = (ids: string[]) => trx.updateTable("watch_files").where("id", "=", sql<string>`any(${ids}::uuid[])`);
  // Before `back`: an earlier version that is back takes its place.
  if (gone.length > 0)
    await update(gone)
      .set({ ...leftOut(LEFT_OUT.gone), missing_since: now })
      .execute();
  if (back.length > 0) {
    await update(back).set({ missing_since: null }).execute();
    const waits = { state: "seen", reason_code: null, reason: null, same_since: now, attempts: 0 } as const;
    await update(back).where("reason_code", "=", "gone").set(waits).execute();
  }
  if (missing.length > 0) await update(missing).set({ missing_since: now }).execute();
}

/** Also replaces the link: a copy of the earlier version is of no use. */
async function replaceVersions(trx: Transaction<Tables>, changed: Changes["changed"]): Promise<void> {
  const rows = changed.map((file) => ({ id: file.id, ...toColumns(file, false) }));
  const all = (name: keyof (typeof rows)[number]) => rows.map((row) => row[name]);
  await sql`
    update watch_files set name = new.name, revision = new.revision, size_bytes = new.size_bytes, link = new.link,
      state = new.state, reason_code = new.reason_code, reason = new.reason,
      same_since = now(), attempts = 0, missing_since = null
    from unnest(${all("id")}::uuid[], ${all("name")}::text[], ${all("revision")}::text[], ${all("size_bytes")}::bigint[],
      ${all("link")}::text[], ${all("state")}::text[], ${all("reason_code")}::text[], ${all("reason")}::text[])
      as new (id, name, revision, size_bytes, link, state, reason_code, reason)
    where watch_files.id = new.id`.execute(trx);
}

/** `skipsNew`: usable files were there before. */
function toColumns({ name, revision, sizeBytes, link, leftOut: why }: ListedFile, skipsNew: boolean) {
  const reason = why ?? (skipsNew ? LEFT_OUT.existing : null);
  const columns = { name, revision, size_bytes: sizeBytes, link };
  return reason
    ? { ...columns, ...leftOut(reason) }
    : { ...columns, state: "seen" as const, reason_code: null, reason: null };
}

export function leftOut<Why extends { code: string; reason: string }>({ code, reason }: Why) {
  return { state: "skipped" as const, reason_code: code as Why["code"], reason };
}
