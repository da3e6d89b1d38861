/** Language tags (BCP 47), in their canonical form: `pt-BR`, `zh-Hant`. */

export const LANGUAGE_RULE = "Use language tags such as de, pt-BR or zh-Hant";

/** All registered primary subtags have two or three letters; the syntax also allows words such as "english". */
const PRIMARY = /^[a-z]{2,3}(?:-|$)/;

/** Returns null if the text is not a language tag. */
export function canonicalTag(text: string): string | null {
  try {
    const [tag = ""] = Intl.getCanonicalLocales(text.trim());
    return PRIMARY.test(tag) ? tag : null;
  } catch {
    return null;
  }
}

/** Without duplicates and invalid tags. */
export function canonicalTags(texts: readonly string[]): string[] {
  return [...new Set(texts.flatMap((text) => canonicalTag(text) ?? []))];
}

/** Accepts commas, spaces and lines between tags. */
export function splitTags(text: string): string[] {
  return text.split(/[\s,;]+/).filter((tag) => tag !== "");
}

/** Returns the English name, such as "Brazilian Portuguese"; the tag for an unknown language. */
export function nameOfLanguage(tag: string): string {
  return new Intl.DisplayNames("en", { type: "language" }).of(tag) ?? tag;
}

/** ISO 15924, such as "Arab"; null for an unknown language. */
export function scriptOfLanguage(tag: string): string | null {
  return new Intl.Locale(tag).maximize().script ?? null;
}

/** True if both are written alike, so that no text needs a translation: `en` and `en-US`, not `zh-Hans` and `zh-Hant`. */
export function isSameLanguage(a: string | null, b: string): boolean {
  if (a === null) return false;
  const [first, second] = [new Intl.Locale(a).maximize(), new Intl.Locale(b).maximize()];
  return first.language === second.language && first.script === second.script;
}
