import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import type { Changing } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import { parseInput } from "../../parse-input.ts";
import { DOMAIN_EXISTS } from "./add-domain.ts";
import { domainSchema } from "./domain-input.ts";

/** Routes are deactivated and reactivated with their domain. Throws like addDomain. */
export async function changeDomains({ trx, actor }: Changing, ids: string[], body: unknown): Promise<void> {
  const changes = parseInput(domainSchema.partial(), body);
  const domains = await trx
    .selectFrom("domains")
    .select(["id", "name", "status"])
    .where("id", "in", ids)
    .orderBy("id")
    .forUpdate()
    .execute();
  if (changes.name !== undefined) await requireFreeName(trx, changes.name, ids);
  await trx.updateTable("domains").set(changes).where("id", "in", ids).execute();
  await writeAudit(trx, actor, { action: "domains.change", subjects: ids });
  const turned = changes.status ? domains.filter((domain) => domain.status !== changes.status) : [];
  if (turned.length === 0) return;
  await trx
    .updateTable("routes")
    .set({ active: changes.status === "active" })
    .where(
      "domain_id",
      "in",
      turned.map((domain) => domain.id),
    )
    .execute();
}

async function requireFreeName(trx: Transaction<Tables>, name: string, ids: string[]): Promise<void> {
  const taken = await trx.selectFrom("domains").select("id").where("name", "=", name).executeTakeFirst();
  if (ids.length > 1 || (taken && taken.id !== ids[0])) throw new ClipmillError("conflict", DOMAIN_EXISTS);
}
