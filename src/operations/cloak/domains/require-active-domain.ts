import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";

/** Locks the domains. Throws ClipmillError "not_found" or "invalid" unless all are active. */
export async function requireActiveDomains(trx: Transaction<Tables>, ids: string[]): Promise<void> {
  const wanted = [...new Set(ids)];
  const domains = await trx
    .selectFrom("domains")
    .select(["id", "status"])
    .where("id", "in", wanted)
    .orderBy("id")
    .forShare()
    .execute();
  if (domains.length < wanted.length) throw new ClipmillError("not_found", "This domain does not exist.");
  if (domains.some((domain) => domain.status !== "active")) {
    throw new ClipmillError("invalid", "This domain is inactive. Choose an active domain.");
  }
}
