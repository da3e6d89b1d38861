import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import { OPTIONAL_HOSTS } from "#contract/sources/link-hosts.ts";
import type { Context } from "../context.ts";

export async function readAcceptedSources({ db, hosts }: Pick<Context, "db" | "hosts">): Promise<AcceptedSources> {
  const row = await db.selectFrom("settings").select("value").where("name", "=", "source_hosts").executeTakeFirst();
  const saved = row ? (JSON.parse(row.value) as string[]) : [];
  // An older version may have saved a host that no longer exists.
  return { hosts: OPTIONAL_HOSTS.filter((name) => saved.includes(name)), privateSources: hosts.privateSources };
}
