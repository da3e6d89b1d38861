/** `at` is a place in the text, in UTF-16 units. */
export type TimeMark = { at: number; seconds: number };

type TimedText = { text: string; startSeconds: number; endSeconds: number };

/**
 * Gives words their times. Pieces in a row make up a text; a word is a piece that is not only space. Times between the
 * marks, which are in order, are spread by letters.
 */
export function spreadPieces(pieces: readonly string[], marks: readonly [TimeMark, ...TimeMark[]]): TimedText[] {
  const words: TimedText[] = [];
  let at = 0;
  let mark = 0;
  const timeAt = (place: number): number => {
    while (mark > 0 && marks[mark]!.at > place) mark--;
    while (mark < marks.length - 1 && marks[mark + 1]!.at <= place) mark++;
    const [from, to] = [marks[mark]!, marks[mark + 1]];
    if (!to || to.at === from.at) return from.seconds;
    return toMilliseconds(from.seconds + ((to.seconds - from.seconds) * (place - from.at)) / (to.at - from.at));
  };
  for (const piece of pieces) {
    const start = at;
    at += piece.length;
    const word = piece.trimEnd();
    if (word === "") continue;
    const startSeconds = timeAt(start);
    const followedBy = /\n/.test(piece) ? "\n" : piece.length > word.length ? " " : "";
    words.push({
      text: word + followedBy,
      startSeconds,
      endSeconds: Math.max(startSeconds, timeAt(start + word.length)),
    });
  }
  const last = words.at(-1);
  if (last) last.text = last.text.trimEnd();
  return words;
}

export function toMilliseconds(seconds: number): number {
  return Math.round(seconds * 1_000) / 1_000;
}
