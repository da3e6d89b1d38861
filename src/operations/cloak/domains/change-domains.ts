import type { Transaction } from "kysely";
import { z } from "zod";
import { CLOAK_LIMITS, type Domain, DOMAIN_STATUSES, INVALID_DOMAIN, toDomainName } from "#contract/cloak/cloak.ts";
import { ClipmillError } from "#contract/errors.ts";
import type { Tables } from "#database/tables.ts";
import { type Changing, writeAudit } from "../../audit/write-audit.ts";
import { parseInput } from "../../parse-input.ts";

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

const DOMAIN_EXISTS = "This domain already exists.";

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

/** Missing fields get the table's defaults. */
const domainSchema = z.object({
  name: z.string({ error: INVALID_DOMAIN }).transform((text, check) => {
    const name = toDomainName(text);
    if (name !== null) return name;
    check.addIssue({ code: "custom", message: INVALID_DOMAIN });
    return z.NEVER;
  }),
  notes: z
    .string()
    .trim()
    .max(CLOAK_LIMITS.notesCharacters)
    .nullish()
    // A field missing from a change must stay undefined.
    .transform((notes) => (notes === undefined ? undefined : notes || null)),
  status: z.enum(DOMAIN_STATUSES).optional(),
});

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
