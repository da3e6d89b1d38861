import type { Context } from "../context.ts";

const NAME = "google_drive_key";

/** The saved Google Drive API key, or null. */
export async function readGoogleDriveKey(context: Pick<Context, "db" | "secrets">): Promise<string | null> {
  const row = await context.db.selectFrom("settings").select("value").where("name", "=", NAME).executeTakeFirst();
  return row ? context.secrets.open(NAME, row.value) : null;
}

/** Saves the key sealed, or removes it with null. */
export async function saveGoogleDriveKey(context: Pick<Context, "db" | "secrets">, key: string | null): Promise<void> {
  if (key === null) {
    await context.db.deleteFrom("settings").where("name", "=", NAME).execute();
    return;
  }
  const value = context.secrets.seal(NAME, key);
  await context.db
    .insertInto("settings")
    .values({ name: NAME, value })
    .onConflict((row) => row.column("name").doUpdateSet({ value, updated_at: new Date().toISOString() }))
    .execute();
}
