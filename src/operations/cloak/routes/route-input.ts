import { z } from "zod";
import { CLOAK_LIMITS, cleanSlug, FALLBACK_URL_RULE, isWebAddress, PRIMARY_URL_RULE } from "#contract/cloak/cloak.ts";
import { slugProblem } from "#contract/cloak/published-config.ts";

const SLUG_NEEDED = "Enter a slug";
const SLUG_LENGTH = `Slugs can have at most ${CLOAK_LIMITS.slugCharacters} characters`;
const URL_LENGTH = `URLs can have at most ${CLOAK_LIMITS.urlCharacters} characters`;

export const routeSchema = z.object({
  domain_id: z.uuid({ error: "Choose a domain" }),
  slug: z
    .string({ error: SLUG_NEEDED })
    .transform(cleanSlug)
    .refine((slug) => slug !== "", SLUG_NEEDED)
    .refine((slug) => slug.length <= CLOAK_LIMITS.slugCharacters, SLUG_LENGTH)
    .refine((slug) => slugProblem(slug) === null, { error: ({ input }) => slugProblem(String(input)) ?? SLUG_NEEDED }),
  primary_url: z
    .string({ error: PRIMARY_URL_RULE })
    .trim()
    .max(CLOAK_LIMITS.urlCharacters, URL_LENGTH)
    .refine(isWebAddress, PRIMARY_URL_RULE),
  fallback_url: z
    .string({ error: FALLBACK_URL_RULE })
    .trim()
    .max(CLOAK_LIMITS.urlCharacters, URL_LENGTH)
    .refine((url) => url === "" || isWebAddress(url), FALLBACK_URL_RULE)
    .nullish()
    // A field missing from a change must stay undefined.
    .transform((url) => (url === undefined ? undefined : url || null)),
  active: z.boolean().optional(),
});
