import type { TranscriptLine } from "#contract/transcripts/transcripts.ts";

/** A line per text, of a second per word; "(um)" is hidden, "maybe?" has little confidence. */
export function testLines(...texts: string[]): TranscriptLine[] {
  let at = 0;
  return texts.map((text) => {
    const pieces = text.split(" ");
    const words = pieces.map((piece, i) => {
      const startSeconds = at;
      at += 1;
      const isHidden = /^\(.*\)$/u.test(piece);
      const own = isHidden ? piece.slice(1, -1) : piece;
      return {
        text: i === pieces.length - 1 ? own : `${own} `,
        startSeconds,
        endSeconds: startSeconds + 0.8,
        ...(own.endsWith("?") && { confidence: 0.2 }),
        ...(isHidden && { hidden: true }),
      };
    });
    return { startSeconds: words[0]!.startSeconds, endSeconds: words.at(-1)!.endSeconds, words };
  });
}

/** The reverse: texts without times. */
export function textsOf(lines: readonly TranscriptLine[]): string[] {
  return lines.map(({ words }) =>
    words
      .map(({ text, hidden }) => (hidden ? `(${text.trim()})${text.slice(text.trimEnd().length)}` : text))
      .join(""),
  );
}
