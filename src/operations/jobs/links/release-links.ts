import type { Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";
import type { Actor } from "../../audit/actor.ts";
import { writeAudit } from "../../audit/write-audit.ts";
import { countCloakChange } from "../../cloak/publishing/count-changes.ts";

/** The job's routes stay without it, or are deleted. Requires the job's lock. */
export async function releaseLinks(
  trx: Transaction<Tables>,
  actor: Actor,
  jobId: string,
  { isDeleting }: { isDeleting: boolean },
): Promise<void> {
  const outputs = trx.selectFrom("job_outputs").select("id").where("job_id", "=", jobId);
  const ofJob = await trx
    .selectFrom("routes")
    .select("domain_id")
    .distinct()
    .where("output_id", "in", outputs)
    .execute();
  if (ofJob.length === 0) return;
  const domainIds = ofJob.map((route) => route.domain_id);
  // Locks domains before routes, as a change of a domain does; otherwise, both could deadlock.
  await trx.selectFrom("domains").select("id").where("id", "in", domainIds).orderBy("id").forNoKeyUpdate().execute();
  if (!isDeleting) return;
  await writeAudit(trx, actor, { action: "job.delete-links", subjects: [jobId] });
  await trx.deleteFrom("routes").where("output_id", "in", outputs).execute();
  await countCloakChange(trx);
}
