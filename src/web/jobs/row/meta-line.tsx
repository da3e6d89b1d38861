import type { ReactNode } from "react";

/**
 * Small facts in a row, with dots between them; each stays whole when the line breaks. Every fact brings the dot before
 * it, which hangs out to the left: at the start of a line it lies outside and is cut off.
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
