import type { TranscriptLine, TranscriptWord } from "#contract/transcripts/transcripts.ts";

/** Makes a line per text, one second per word; "(um)" is hidden, "maybe?" has low confidence. */
export function testLines(...texts: string[]): TranscriptLine[] {
  let at = 0;
  return texts.map((text) => {
    const pieces = text.split(" ");
    const words = pieces.map((piece, i) => {
      const isHidden = /^\(.*\)$/u.test(piece);
      const own = isHidden ? piece.slice(1, -1) : piece;
      const word: TranscriptWord = {
        text: i === pieces.length - 1 ? own : `${own} `,
        startSeconds: at,
        endSeconds: at + 0.8,
      };
      if (own.endsWith("?")) word.confidence = 0.2;
      if (isHidden) word.hidden = true;
      at += 1;
      return word;
    });
    return { startSeconds: words[0]!.startSeconds, endSeconds: words.at(-1)!.endSeconds, words };
  });
}

/** The reverse: returns the texts without times. */
export function textsOf(lines: readonly TranscriptLine[]): string[] {
  return lines.map(({ words }) =>
    words.map(({ text, hidden }) => (hidden ? `(${text.trim()})${text.slice(text.trimEnd().length)}` : text)).join(""),
  );
}
