/** Excludes `end`. */
export type ByteSpan = { start: number; end: number };

export type ByteSpans = {
  add(span: ByteSpan): void;
  findMissing(span: ByteSpan): ByteSpan | null;
};

export function createByteSpans(): ByteSpans {
  let known: ByteSpan[] = [];
  return {
    add({ start, end }) {
      const apart = known.filter((other) => other.end < start || other.start > end);
      const touching = known.filter((other) => other.end >= start && other.start <= end);
      const merged = {
        start: Math.min(start, ...touching.map((other) => other.start)),
        end: Math.max(end, ...touching.map((other) => other.end)),
      };
      known = [...apart, merged].toSorted((a, b) => a.start - b.start);
    },
    findMissing({ start, end }) {
      const around = known.find((span) => span.start <= start && span.end > start);
      const from = around?.end ?? start;
      if (from >= end) return null;
      return { start: from, end: Math.min(end, known.find((span) => span.start > from)?.start ?? end) };
    },
  };
}
