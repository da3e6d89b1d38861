import type { AskedText, AskedTranslation } from "./openai-twin-chat.ts";

/** Letters by language; others get Latin ones. */
const ALPHABETS: Record<string, string> = {
  ar: "ابتجحدرسشصطعفقكلمنهوي",
  el: "αβγδεζηθικλμνξοπρστυφχψω",
  he: "אבגדהוזחטיכלמנסעפצקרשת",
  hi: "अआइउएकगचजटडतदनपबमयरलवसह",
  ja: "あいうえおかきくけこさしすせそたちつてと",
  ko: "가나다라마바사아자차카타파하",
  ru: "абвгдежзиклмнопрстуфхцчшыя",
  th: "กขคงจชดตถนบปพมยรลวสหอ",
  zh: "一人大天小山日月木水火土中文字",
};
const LATIN = "äbcdéfghijklmñôpqrstüvwxyz";
/** As wide as two letters. */
const WIDE = new Set(["ja", "ko", "zh"]);

/**
 * Replaces letters by those of the language, the same ones each time, and keeps terms, tags and asterisks: about as wide
 * as the text.
 */
export function pretendTranslation(
  { text, terms = {} }: AskedText,
  { language }: Pick<AskedTranslation, "language">,
): string {
  const main = language.split("-", 1)[0]!;
  const alphabet = Array.from(ALPHABETS[main] ?? LATIN);
  const step = WIDE.has(main) ? 2 : 1;
  const kept = Object.keys(terms).toSorted((a, b) => b.length - a.length);
  const pattern = new RegExp([...kept.map(escape), "[#@]\\S+", "\\p{L}+"].join("|"), "giu");
  return text.replaceAll(pattern, (found) => {
    const term = kept.find((one) => one.toLowerCase() === found.toLowerCase());
    if (term !== undefined) return terms[term]!;
    if (/^[#@]/.test(found)) return found;
    const letters = Array.from(found).filter((_, i) => i % step === 0);
    return letters.map((letter) => alphabet[letter.toLowerCase().codePointAt(0)! % alphabet.length]!).join("");
  });
}

function escape(term: string): string {
  return term.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&");
}
