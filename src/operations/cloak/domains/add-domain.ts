import type { Domain } from "#contract/cloak/cloak.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Changing } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import { parseInput } from "../../parse-input.ts";
import { domainSchema } from "./domain-input.ts";

export const DOMAIN_EXISTS = "This domain already exists.";

/** Throws ClipmillError "invalid" (host name) or "conflict". */
export async function addDomain({ trx, actor }: Changing, body: unknown): Promise<Domain> {
  const domain = await trx
    .insertInto("domains")
    .values(parseInput(domainSchema, body))
    .onConflict((row) => row.column("name").doNothing())
    .returningAll()
    .executeTakeFirst();
  if (!domain) throw new ClipmillError("conflict", DOMAIN_EXISTS);
  await writeAudit(trx, actor, { action: "domains.add", subjects: [domain.id] });
  return domain;
}
