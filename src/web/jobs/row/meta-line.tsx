import type { ReactNode } from "react";

/**
 * Separates unbroken facts with dots. A fact's leading dot hangs to the left, where it is clipped at the start of a
 * line.
 */
export function MetaLine({ parts }: { parts: readonly ReactNode[] }) {
  return (
    <p className="tnum overflow-hidden text-12 text-ink-3">
      <span className="-ml-4 flex flex-wrap">
        {parts.map((part, index) => (
          <span
            // oxlint-disable-next-line react/no-array-index-key -- a fact is its place in the line
            key={index}
            className="min-w-0 truncate before:inline-block before:w-4 before:text-center before:opacity-60 before:content-['·'/'']"
          >
            {part}
          </span>
        ))}
      </span>
    </p>
  );
}
