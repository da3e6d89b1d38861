import { z } from "zod";
import { CLOAK_LIMITS, DOMAIN_STATUSES, INVALID_DOMAIN, toDomainName } from "#contract/cloak/cloak.ts";

/** Missing fields get the table's defaults. */
export const domainSchema = z.object({
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
