import { Fragment, type ReactNode } from "react";

/** Small facts in a row, with dots between them; each stays whole when the line breaks. */
export function MetaLine({ parts }: { parts: readonly ReactNode[] }) {
  return (
    <p className="tnum text-12 text-ink-3 desk:truncate">
      {parts.map((part, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- a fact is its place in the line
        <Fragment key={index}>
          {index > 0 && (
            <>
              <span aria-hidden className="mx-1.5 opacity-60">
                ·
              </span>
              <wbr />
            </>
          )}
          <span className="whitespace-nowrap">{part}</span>
        </Fragment>
      ))}
    </p>
  );
}
