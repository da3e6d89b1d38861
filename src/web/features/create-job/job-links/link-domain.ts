import type { JobProblem } from "#contract/jobs/job-rules.ts";
import type { JobForm } from "../draft/job-form.ts";

/** The field's value while links are on without a domain. Reads as no domain. */
export const UNCHOSEN_DOMAIN = " ";

/** Without it, the job would be created without links. */
export function domainProblem({ linkDomainId }: Pick<JobForm, "linkDomainId">): JobProblem | null {
  if (linkDomainId !== UNCHOSEN_DOMAIN) return null;
  return { title: "Link Domain Required", description: "Choose a domain for the links" };
}
