const LETTERS = "abcdefghijklmnopqrstuvwxyz".split("");

let byName: ReadonlyMap<string, string> | null = null;

/** Returns a BCP 47 tag for what servers return: a tag, or OpenAI's English names ("german"). Null if it is neither. */
export function languageTag(language: string | null): string | null {
  if (language === null) return null;
  byName ??= new Map(readNames());
  const known = byName.get(language.toLowerCase());
  if (known !== undefined) return known;
  try {
    return /^[a-z]{2,3}(?:-|$)/i.test(language) ? (Intl.getCanonicalLocales(language)[0] ?? null) : null;
  } catch {
    return null;
  }
}

function readNames(): [name: string, tag: string][] {
  const names = new Intl.DisplayNames("en", { type: "language", fallback: "none" });
  const tags = LETTERS.flatMap((first) => LETTERS.map((second) => first + second));
  return tags.flatMap((tag): [string, string][] => {
    const name = names.of(tag)?.toLowerCase();
    return name === undefined ? [] : [[name, Intl.getCanonicalLocales(tag)[0]!]];
  });
}
