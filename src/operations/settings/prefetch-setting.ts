/** Sources are fetched before their videos start. On by default. */
import type { Kysely } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { removeSetting, writeSetting } from "./write-setting.ts";

const NAME = "prefetch_sources";

export async function readPrefetchSources({ db }: Pick<Context, "db">): Promise<boolean> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", NAME).executeTakeFirst();
  return row?.value !== "false";
}

/** Null restores the default; undefined changes nothing. */
export async function savePrefetchSources(db: Kysely<Tables>, isOn: boolean | null | undefined): Promise<void> {
  if (isOn === null) await removeSetting(db, NAME);
  else if (isOn !== undefined) await writeSetting(db, NAME, JSON.stringify(isOn));
}
