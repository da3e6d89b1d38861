import type { Place } from "./commands.ts";
import type { Lines } from "./patches.ts";

/** A short pause would make the highlight flicker. */
const HELD_SECONDS = 0.3;

/** Returns the word that is spoken at a time, or null in a pause. Lines are in order of their starts. */
export function wordAt(lines: Lines, seconds: number): Place | null {
  const line = lastStarted(lines, seconds);
  const words = lines[line]?.words ?? [];
  const word = lastStarted(words, seconds);
  const found = words[word];
  return found && seconds < found.endSeconds + HELD_SECONDS ? { line, word } : null;
}

/** Uses binary search. Returns -1 if none has started. */
function lastStarted(items: readonly { startSeconds: number }[], seconds: number): number {
  let [before, after] = [-1, items.length];
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (items[middle]!.startSeconds <= seconds) before = middle;
    else after = middle;
  }
  return before;
}

/** Moves by words, across line ends. */
export function stepWord(lines: Lines, { line, word }: Place, by: 1 | -1): Place {
  const next = word + by;
  if (next >= 0 && next < (lines[line]?.words.length ?? 0)) return { line, word: next };
  const other = lines[line + by];
  return other ? { line: line + by, word: by === 1 ? 0 : other.words.length - 1 } : { line, word };
}

/** Moves by lines, to the word at the same relative position. */
export function stepLine(lines: Lines, { line, word }: Place, by: 1 | -1): Place {
  const [old, other] = [lines[line], lines[line + by]];
  if (!old || !other) return { line, word };
  const share = old.words.length < 2 ? 0 : word / (old.words.length - 1);
  return { line: line + by, word: Math.round(share * (other.words.length - 1)) };
}

/** Returns the place if it exists, or the first one. */
export function clampPlace(lines: Lines, { line, word }: Place): Place {
  const at = Math.max(0, Math.min(line, lines.length - 1));
  return { line: at, word: Math.max(0, Math.min(word, (lines[at]?.words.length ?? 1) - 1)) };
}
