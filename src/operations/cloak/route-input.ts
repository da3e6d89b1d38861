import { z } from "zod";
import { CLOAK_LIMITS, cleanSlug, FALLBACK_URL_RULE, isWebAddress, PRIMARY_URL_RULE } from "#contract/cloak.ts";

const SLUG_NEEDED = "Please enter a slug";
/** What would end the path of an address could never be asked for. */
const UNREACHABLE = /[\s?#\\\p{Cc}]/u;

/** A route as it may be written. */
export const routeSchema = z.object({
  domain_id: z.uuid({ error: "Please choose a domain" }),
  slug: z
    .string({ error: SLUG_NEEDED })
    .max(CLOAK_LIMITS.slugCharacters)
    .transform(cleanSlug)
    .refine((slug) => slug !== "", SLUG_NEEDED)
    .refine((slug) => !UNREACHABLE.test(slug), "A slug has no spaces, question marks or hash signs"),
  primary_url: z
    .string({ error: PRIMARY_URL_RULE })
    .trim()
    .max(CLOAK_LIMITS.urlCharacters)
    .refine(isWebAddress, PRIMARY_URL_RULE),
  fallback_url: z
    .string({ error: FALLBACK_URL_RULE })
    .trim()
    .max(CLOAK_LIMITS.urlCharacters)
    .refine((url) => url === "" || isWebAddress(url), FALLBACK_URL_RULE)
    .nullish()
    // What is left out of a change has to stay left out.
    .transform((url) => (url === undefined ? undefined : url || null)),
  active: z.boolean().optional(),
});
