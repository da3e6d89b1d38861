/** Terms that translations keep, or always translate the same way. */
import { z } from "zod";
import { component } from "../component.ts";
import { canonicalTag, LANGUAGE_RULE } from "../jobs/outputs/languages.ts";

export const GLOSSARY_LIMITS = { terms: 200, characters: 100, languages: 50 } as const;

export const GlossaryTerm = component("GlossaryTerm", () => ({
  term: z.string(),
  translations: z
    .record(z.string(), z.string())
    .describe(
      "By language tag. A regional tag without a translation uses that of its main language (`pt` for `pt-BR`); otherwise, the term is kept.",
    ),
}));
export type GlossaryTerm = z.infer<typeof GlossaryTerm>;

const text = z.string().trim().min(1, "A term and its translations cannot be empty").max(GLOSSARY_LIMITS.characters);

export const glossarySchema = z
  .array(
    z.strictObject({
      term: text,
      translations: z
        .record(z.string(), text)
        .refine((given) => Object.keys(given).every((tag) => canonicalTag(tag) !== null), LANGUAGE_RULE)
        .refine((given) => Object.keys(given).length <= GLOSSARY_LIMITS.languages, "Too many languages")
        .default({}),
    }),
  )
  .max(GLOSSARY_LIMITS.terms);

/** Returns the term's translation into a language. */
export function termIn({ term, translations }: GlossaryTerm, language: string): string {
  const own = translations[language] ?? translations[new Intl.Locale(language).language];
  return own ?? term;
}
