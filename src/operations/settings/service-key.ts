import type { KeyState, ServiceKey } from "#contract/settings.ts";
import type { Context } from "../context.ts";
import { removeSetting, writeSetting } from "./write-setting.ts";

const SHORTEST_TOLD = 12;

/** A saved key of an outside service, or null. */
export async function readServiceKey(
  context: Pick<Context, "db" | "secrets">,
  name: ServiceKey,
): Promise<string | null> {
  const row = await context.db.selectFrom("settings").select("value").where("name", "=", name).executeTakeFirst();
  return row ? context.secrets.open(name, row.value) : null;
}

/** Saves a key sealed, or removes it with null. */
export async function saveServiceKey(
  context: Pick<Context, "db" | "secrets">,
  name: ServiceKey,
  key: string | null,
): Promise<void> {
  if (key === null) await removeSetting(context.db, name);
  else await writeSetting(context.db, name, context.secrets.seal(name, key));
}

/** What may be told of a key: whether it is set, since when, and its end. */
export async function readKeyState(context: Pick<Context, "db" | "secrets">, name: ServiceKey): Promise<KeyState> {
  const row = await context.db.selectFrom("settings").selectAll().where("name", "=", name).executeTakeFirst();
  if (!row) return { set: false, last4: null, updatedAt: null };
  const key = context.secrets.open(name, row.value);
  return { set: true, last4: key.length >= SHORTEST_TOLD ? key.slice(-4) : null, updatedAt: row.updated_at };
}
