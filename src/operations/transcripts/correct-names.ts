import type { TranscriptName } from "#contract/transcripts/names.ts";
import type { TranscriptLine, TranscriptWord } from "#contract/transcripts/transcripts.ts";
import { splitWord } from "#media/subtitles/tidy-transcript.ts";

/** What surrounds a word's letters: quotes before, punctuation and a space after. */
const WORD = /^([^\p{L}\p{N}]*)(.*?)(['’]s)?([^\p{L}\p{N}]*)$/su;

type Parts = { before: string; core: string; after: string };

/** Spells names as in the dictionary, ignoring case. The longest match wins; a name keeps the times of its words. */
export function correctNames(lines: readonly TranscriptLine[], names: readonly TranscriptName[]): TranscriptLine[] {
  const known = new Map(
    names.flatMap(({ from, to }) => [from ?? to, to].map((text) => [keyOf(text.split(/\s+/u)), to])),
  );
  if (known.size === 0) return [...lines];
  const longest = Math.max(...[...known.keys()].map((key) => key.split(" ").length));
  return lines.map((line) => ({ ...line, words: correctWords(line.words, known, longest) }));
}

function correctWords(
  words: readonly TranscriptWord[],
  known: ReadonlyMap<string, string>,
  longest: number,
): TranscriptWord[] {
  const corrected: TranscriptWord[] = [];
  for (let i = 0; i < words.length;) {
    const count = lengthOfMatch(words.slice(i, i + longest), known);
    if (count === 0) corrected.push(words[i++]!);
    else {
      const found = words.slice(i, i + count);
      corrected.push(...writeName(found, known.get(keyOf(found.map(({ text }) => partsOf(text).core)))!));
      i += count;
    }
  }
  return corrected;
}

function lengthOfMatch(words: readonly TranscriptWord[], known: ReadonlyMap<string, string>): number {
  for (let count = words.length; count > 0; count--) {
    const parts = words.slice(0, count).map(({ text }) => partsOf(text));
    // Punctuation between words separates them.
    const isJoined = parts.slice(0, -1).every(({ after }) => after.trim() === "" || after.trim() === "-");
    if (isJoined && known.has(keyOf(parts.map(({ core }) => core)))) return count;
  }
  return 0;
}

function writeName(found: readonly TranscriptWord[], name: string): TranscriptWord[] {
  const [first, last] = [found[0]!, found.at(-1)!];
  const { before } = partsOf(first.text);
  const { after } = partsOf(last.text);
  const written = name.split(/\s+/u);
  if (written.length === found.length) {
    return found.map((word, i) => {
      const end = i === found.length - 1 ? after : " ";
      return { ...word, text: `${i === 0 ? before : ""}${written[i]!}${end}` };
    });
  }
  return splitWord({ ...first, text: before + name + after, endSeconds: last.endSeconds });
}

function partsOf(text: string): Parts {
  const [, before = "", core = "", possessive = "", after = ""] = WORD.exec(text) ?? [];
  return { before, core, after: possessive + after };
}

function keyOf(words: readonly string[]): string {
  return words.join(" ").normalize("NFKC").toLowerCase();
}
