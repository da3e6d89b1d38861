import { Check, CircleAlert, Copy, FileText } from "lucide-react";
import { useMemo } from "react";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { libraryIdOf } from "../../../sources/name-source.ts";
import type { CheckedLinks } from "./check-links.ts";
import { findRepeats } from "./find-repeats.ts";
import { NamedLines } from "./named-lines.tsx";

/** How to share files matters for links, not for files of the library. */
export function LinkCount({ links: { valid, typed }, tip }: { links: CheckedLinks; tip: string }) {
  const hasLinks = typed.length === 0 || typed.some((link) => libraryIdOf(link) === null);
  return (
    <div className="flex flex-wrap items-center gap-x-3">
      {valid.length > 0 && (
        <span className="tnum inline-flex items-center gap-[5px] text-ink-2">
          <Icon icon={Check} size={14} className="shrink-0 text-completed" />
          {pluralize(valid.length, "valid link")}
        </span>
      )}
      {hasLinks && <span>{tip}</span>}
    </div>
  );
}

export function LinkReport({
  links,
  rows,
  folders,
  file,
  onSelectLine,
  onRewrite,
}: {
  links: CheckedLinks;
  /** One per valid link, or empty. */
  rows: readonly JobRow[];
  /** Lines reported elsewhere. */
  folders?: ReadonlySet<number> | undefined;
  /** With article: "a video file". */
  file: string;
  onSelectLine: (line: number) => void;
  /** `isKept` gets the index of an entry; `title` is the toast's. */
  onRewrite: (isKept: (index: number) => boolean, title: string) => void;
}) {
  const { documents, entries } = links;
  const repeats = useMemo(() => findRepeats(entries, rows), [entries, rows]);
  const problems = links.problems.filter(({ line }) => !folders?.has(line));
  const isSame = rows.length === 0 ? "is the same as" : "has the same link, name, settings and passed columns as";
  return (
    <div className="grid gap-1 text-12 text-ink-3 empty:hidden">
      <NamedLines
        icon={CircleAlert}
        label="Lines that will be skipped"
        className="text-failed"
        lines={problems.map(({ line, reason }) => ({ line, text: `Line ${line} will be skipped: ${reason}` }))}
        onSelect={onSelectLine}
      >
        <Button
          size="sm"
          look="quiet"
          onClick={() =>
            onRewrite(
              (index) => entries[index]!.isValid || folders?.has(entries[index]!.line) === true,
              "Invalid Lines Removed",
            )
          }
        >
          Remove invalid
        </Button>
      </NamedLines>
      <NamedLines
        icon={FileText}
        label="Links to documents"
        iconClassName="text-warning"
        lines={documents.map(({ line }) => ({ line, text: `Line ${line} is a document, not ${file}` }))}
        onSelect={onSelectLine}
      />
      <NamedLines
        icon={Copy}
        label="Duplicate lines"
        lines={repeats.map(({ line, firstLine }) => ({ line, text: `Line ${line} ${isSame} line ${firstLine}` }))}
        onSelect={onSelectLine}
      >
        <Button
          size="sm"
          look="quiet"
          onClick={() => {
            const removed = new Set(repeats.map(({ index }) => index));
            onRewrite((index) => !removed.has(index), "Duplicates Removed");
          }}
        >
          Remove duplicates
        </Button>
      </NamedLines>
    </div>
  );
}
