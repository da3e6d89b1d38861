import type { Transaction } from "kysely";
import type { Domain } from "#contract/cloak/cloak.ts";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import type { Tables } from "#database/tables.ts";
import { refusal } from "../create/snapshot-sets.ts";

export const NO_ADDRESS = "Their link target is not a web address of at most 2,000 characters.";

export function domainProblem(domain: Pick<Domain, "name" | "status"> | undefined): string | null {
  if (!domain) return "The link domain no longer exists.";
  if (domain.status === "active") return null;
  return `The link domain ${domain.name} is inactive. Activate it in Cloak Manager.`;
}

/** Throws ClipmillError "invalid" for a missing or inactive domain. */
export async function requireLinkDomain(
  trx: Transaction<Tables>,
  { link_domain_id: id }: Pick<JobSettings, "link_domain_id">,
): Promise<void> {
  if (id === null) return;
  const domain = await trx.selectFrom("domains").select(["name", "status"]).where("id", "=", id).executeTakeFirst();
  const problem = domainProblem(domain);
  if (problem !== null) throw refusal({ title: "Link Domain Not Available", description: problem });
}
