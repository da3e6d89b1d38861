/** The glossary as text: a term per line, such as `Clipmill` or `Flash sale = de: Blitzangebot; fr: Vente flash`. */
import { canonicalTag, LANGUAGE_RULE } from "#contract/jobs/outputs/languages.ts";
import { GLOSSARY_LIMITS, type GlossaryTerm } from "#contract/settings/glossary.ts";

export function toGlossaryText(glossary: readonly GlossaryTerm[]): string {
  return glossary.map(toLine).join("\n");
}

function toLine({ term, translations }: GlossaryTerm): string {
  const written = Object.entries(translations).map(([tag, text]) => `${tag}: ${text}`);
  return written.length === 0 ? term : `${term} = ${written.join("; ")}`;
}

/** `problem` is about the first line that cannot be read. */
export function readGlossaryText(text: string): { terms: GlossaryTerm[]; problem: string | null } {
  const terms: GlossaryTerm[] = [];
  for (const [i, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const read = readLine(line);
    if (typeof read === "string") return { terms, problem: `Line ${i + 1}: ${read}` };
    terms.push(read);
  }
  const isTooLong = terms.length > GLOSSARY_LIMITS.terms;
  return { terms, problem: isTooLong ? `At most ${GLOSSARY_LIMITS.terms} terms` : null };
}

function readLine(line: string): GlossaryTerm | string {
  const [, term = "", rest = ""] = /^([^=]*)(?:=(.*))?$/s.exec(line) ?? [];
  const translations: Record<string, string> = {};
  for (const part of rest.split(";")) {
    if (part.trim() === "") continue;
    const [, tag = "", text = ""] = /^([^:]*)(?::(.*))?$/s.exec(part) ?? [];
    const language = canonicalTag(tag);
    if (language === null) return LANGUAGE_RULE;
    if (text.trim() === "") return `Enter the translation after ${language}:`;
    translations[language] = text.trim();
  }
  if (term.trim() === "") return "Enter a term before the equals sign";
  const tooLong = [term, ...Object.values(translations)].some(
    (text) => text.trim().length > GLOSSARY_LIMITS.characters,
  );
  return tooLong
    ? `Terms can have at most ${GLOSSARY_LIMITS.characters} characters`
    : { term: term.trim(), translations };
}
