import { ClipmillError } from "#contract/errors.ts";
import type { KeyState, ServiceKey } from "#contract/settings/settings.ts";
import type { Context } from "../context.ts";
import type { SecretBox } from "./secret-box.ts";
import { removeSetting, writeSetting } from "./write-setting.ts";

const MIN_LENGTH_WITH_ENDING = 12;

/** Null if none is saved. Throws ClipmillError "invalid" if it cannot be decrypted. */
export async function readServiceKey(
  context: Pick<Context, "db" | "secrets">,
  name: ServiceKey,
): Promise<string | null> {
  const row = await context.db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row ? context.secrets.open(name, row.value) : null;
}

export async function saveServiceKey(
  context: Pick<Context, "db" | "secrets">,
  name: ServiceKey,
  key: string | null,
): Promise<void> {
  if (key === null) await removeSetting(context.db, name);
  else await writeSetting(context.db, name, context.secrets.seal(name, key));
}

/** Returns all that may be shown of a key. */
export async function readKeyState(
  { db, secrets }: Pick<Context, "db" | "secrets">,
  name: ServiceKey,
): Promise<KeyState> {
  const row = await db.selectFrom("settings").selectAll().where("name", "=", name).executeTakeFirst();
  if (!row) return { set: false, last4: null, updatedAt: null };
  return { set: true, last4: readEnd(secrets, name, row.value), updatedAt: row.updated_at };
}

function readEnd(secrets: SecretBox, name: ServiceKey, sealed: string): string | null {
  try {
    const key = secrets.open(name, sealed);
    return key.length >= MIN_LENGTH_WITH_ENDING ? key.slice(-4) : null;
  } catch (error) {
    // An unreadable key must not block the screen that replaces it.
    if (error instanceof ClipmillError) return null;
    throw error;
  }
}
