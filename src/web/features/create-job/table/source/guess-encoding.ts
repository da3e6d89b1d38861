import { decodeBytes } from "#contract/table/encoding/decode-bytes.ts";
import { TABLE_ENCODINGS, type TableEncoding } from "#contract/table/encoding/table-encodings.ts";

/** Excel's encoding in each language (the ANSI code pages of Windows). */
const OF_LANGUAGES: readonly (readonly [TableEncoding, languages: string])[] = [
  ["windows-1250", "bs cs hr hu pl ro sk sl sq"],
  ["windows-1251", "be bg kk ky mk mn ru sr tg uk"],
  ["windows-1253", "el"],
  ["windows-1254", "az tr uz"],
  ["windows-1255", "he"],
  ["windows-1256", "ar fa ur"],
  ["windows-1257", "et lt lv"],
  ["windows-1258", "vi"],
  ["windows-874", "th"],
  ["shift_jis", "ja"],
  ["gb18030", "zh-cn zh-hans zh-sg zh"],
  ["big5", "zh-hk zh-hant zh-mo zh-tw"],
  ["euc-kr", "ko"],
];

/** Returns the encoding of the first language in the list that has one, or null. */
export function encodingOfLanguage(languages: readonly string[]): TableEncoding | null {
  for (const language of languages.map((name) => name.toLowerCase())) {
    const names = [language, language.split("-").slice(0, 2).join("-"), language.split("-")[0]!];
    for (const name of names) {
      const found = OF_LANGUAGES.find(([, known]) => known.split(" ").includes(name));
      if (found) return found[0];
    }
  }
  return null;
}

/** Enough to judge, and fast for every encoding. */
const MOST_CHARACTERS = 20_000;

/** `languages` are the operator's; they decide between encodings that read the bytes equally well. */
export function guessEncoding(bytes: Uint8Array, languages: readonly string[]): TableEncoding {
  const preferred = encodingOfLanguage(languages);
  let best: { encoding: TableEncoding; score: number } = { encoding: preferred ?? "windows-1252", score: -Infinity };
  for (const encoding of Object.keys(TABLE_ENCODINGS) as TableEncoding[]) {
    const text = encoding.startsWith("utf-") ? null : decodeBytes(bytes, encoding);
    if (text === null) continue;
    const score = scoreOf(text) + (encoding === preferred ? LANGUAGE_BONUS : 0);
    if (score > best.score) best = { encoding, score };
  }
  return best.encoding;
}

const LANGUAGE_BONUS = 0.25;

/** Returns a higher score if more of the characters beyond ASCII look right beside their neighbors. */
function scoreOf(text: string): number {
  const sample = text.slice(0, MOST_CHARACTERS);
  const count = (pattern: RegExp) => sample.match(pattern)?.length ?? 0;
  const wrong = count(ODD) + count(MIXED) + (count(IDEOGRAPHS) - count(KANA)) * DOUBT;
  return 1 - wrong / Math.max(1, count(/[^\0-\x7f]/gu));
}

/** Symbols, half-width kana, a capital after a small letter, and accented Latin letters side by side. */
const ODD =
  /(?!\p{ASCII})(?:[\p{S}\p{Po}\p{Cn}\u00a0\uff61-\uff9f]|(?<=\p{Ll})\p{Lu}|[\u00c0-\u024f](?=[\u00c0-\u024f]))/gu;

/** Letters of two scripts in one word. */
const MIXED =
  /[a-z]\p{M}*(?=[\p{sc=Arab}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Hebr}\p{sc=Thai}])|[\p{sc=Arab}\p{sc=Cyrl}\p{sc=Grek}\p{sc=Hebr}\p{sc=Thai}]\p{M}*(?=[a-z])|(?<=[a-z])\p{sc=Han}+(?=[a-z])|\p{sc=Hang}(?=\p{sc=Han})/giu;

/** Most pairs of bytes are an ideograph in some encoding; few are kana. */
const IDEOGRAPHS = /\p{sc=Han}/gu;
const KANA = /[\u3041-\u30ff]/gu;
const DOUBT = 0.1;
