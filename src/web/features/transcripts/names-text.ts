import type { TranscriptName } from "#contract/transcripts/names.ts";

/** A name per line: "Clipmill", or "clip mill = Clipmill". */
export function parseNames(text: string): TranscriptName[] {
  return text.split("\n").flatMap((line) => {
    const [first = "", ...rest] = line.split("=").map((part) => part.trim());
    if (rest.length > 0) return [{ from: first, to: rest.join(" = ") }];
    return first === "" ? [] : [{ to: first }];
  });
}

export function writeNames(names: readonly TranscriptName[]): string {
  return names.map(({ from, to }) => (from === undefined ? to : `${from} = ${to}`)).join("\n");
}
