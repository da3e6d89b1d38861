/** Fillers by language. Only words without meaning: "like" and "well" often have one. */
const FILLERS: Readonly<Record<string, readonly string[]>> = {
  ar: ["آآ", "اه", "إممم", "ممم"],
  de: ["äh", "ähm", "öh", "öhm", "hm", "hmm", "mhm", "ähh"],
  en: ["uh", "uhh", "um", "umm", "uhm", "er", "erm", "hm", "hmm", "mm", "mmm", "mhm"],
  es: ["eh", "ehh", "em", "emm", "mmm", "ehm"],
  fr: ["euh", "heu", "hum", "hmm", "hmmm"],
  hi: ["उम", "अम", "हम्म"],
  it: ["eh", "ehm", "uhm", "mmm"],
  ja: ["えー", "えーと", "えっと", "あのー", "うーん", "んー"],
  nl: ["eh", "ehm", "uh", "uhm", "euh", "hm"],
  pl: ["yyy", "eee", "hmm", "mmm", "ym"],
  pt: ["hã", "hum", "ahn", "éé", "hmm"],
  ru: ["э", "ээ", "эээ", "эм", "хм", "ммм"],
  tr: ["ııı", "ee", "eee", "hmm", "ımm"],
  uk: ["ее", "еее", "ем", "хм", "ммм"],
  zh: ["嗯", "呃", "额", "唔"],
};

/** Of an unknown language: "um" and "er" are German words. */
const ANYWHERE: readonly string[] = ["uh", "uhm", "hmm", "mm", "mmm", "mhm"];

/** Takes a BCP 47 tag. Ignores punctuation and case. */
export function fillerTest(language: string | null): (word: { text: string }) => boolean {
  const [primary = ""] = (language ?? "").toLowerCase().split("-");
  const fillers = new Set(Object.hasOwn(FILLERS, primary) ? FILLERS[primary] : ANYWHERE);
  return ({ text }) => fillers.has(text.toLowerCase().replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}\p{M}ー]+$/gu, ""));
}
