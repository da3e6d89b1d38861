/** Decodes EUC-KR with the additions of Windows-949, which Excel writes, and which Node's decoder lacks. */

/** Returns null if the bytes are not text in this encoding. */
export function decodeKorean(bytes: Uint8Array): string | null {
  const decoder = new TextDecoder("euc-kr", { fatal: true });
  const parts: string[] = [];
  let start = 0;
  try {
    for (let index = 0; index < bytes.length; index++) {
      const lead = bytes[index]!;
      if (lead < 0x80) continue;
      const trail = bytes[++index] ?? 0;
      const added = additions().get(lead * 0x100 + trail);
      if (added === undefined && lead > 0xa0 && trail > 0xa0) continue;
      if (added === undefined) return null;
      parts.push(decoder.decode(bytes.subarray(start, index - 1)), added);
      start = index + 1;
    }
    return parts.join("") + decoder.decode(bytes.subarray(start));
  } catch {
    return null;
  }
}

const TRAILS = [...range(0x41, 0x5a), ...range(0x61, 0x7a), ...range(0x81, 0xfe)];
/** The trail bytes that Windows-949 adds to rows of the standard. */
const FEWER_TRAILS = TRAILS.filter((trail) => trail <= 0xa0);

/** Later additions to the standard. */
const SIGNS = [
  [0xa2e6, "€"],
  [0xa2e7, "®"],
] as const;

/** The standard's syllables are in rows 0xb0 to 0xc8. Windows-949 adds all others, in the order of Unicode. */
function readAdditions(): Map<number, string> {
  const standard = range(0xb0, 0xc8).flatMap((lead) => range(0xa1, 0xfe).flatMap((trail) => [lead, trail]));
  const known = new Set(new TextDecoder("euc-kr").decode(new Uint8Array(standard)));
  const added = range(0xac00, 0xd7a3)
    .map((code) => String.fromCharCode(code))
    .filter((syllable) => !known.has(syllable));
  const pairs = range(0x81, 0xc6).flatMap((lead) =>
    (lead > 0xa0 ? FEWER_TRAILS : TRAILS).map((trail) => lead * 0x100 + trail),
  );
  return new Map([...SIGNS, ...added.map((syllable, index) => [pairs[index]!, syllable] as const)]);
}

let read: Map<number, string> | null = null;
const additions = (): Map<number, string> => (read ??= readAdditions());

function range(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
