import { Check, CircleAlert, Copy, FileText } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { libraryIdOf } from "../../../sources/named-sources.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { classNames } from "../../../ui/class-names.ts";
import { Icon, type LucideIcon } from "../../../ui/page/icon.tsx";
import { rowKey } from "../videos/row-key.ts";
import type { CheckedLinks } from "./check-links.ts";

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

/** `index` counts entries from 0, lines count from 1. */
type Repeat = { index: number; line: number; firstLine: number };

/**
 * Returns later entries whose link, in any spelling, and row equal an earlier one's. `rows`: one per valid link, or
 * empty.
 */
export function findRepeats(entries: CheckedLinks["entries"], rows: readonly JobRow[]): Repeat[] {
  const firstLines = new Map<string, number>();
  let video = 0;
  return entries.flatMap(({ key: linkKey, line }, index) => {
    if (linkKey === null) return [];
    const key = `${linkKey} ${rowKey(rows[video++] ?? {})}`;
    const firstLine = firstLines.get(key);
    if (firstLine !== undefined) return [{ index, line, firstLine }];
    firstLines.set(key, line);
    return [];
  });
}

/** Shows more only when expanded, to keep the field in view. */
const MAX_SHOWN_LINES = 5;

type NamedLine = { line: number; text: string };

/** `children` are actions for all lines. */
function NamedLines({
  icon,
  label,
  lines,
  className,
  iconClassName,
  onSelect,
  children,
}: {
  icon: LucideIcon;
  label: string;
  lines: readonly NamedLine[];
  className?: string;
  iconClassName?: string;
  onSelect: (line: number) => void;
  children?: ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  if (lines.length === 0) return null;
  const hiddenCount = lines.length - MAX_SHOWN_LINES;
  return (
    <div>
      <ul aria-label={label} className={classNames(className, isOpen && hiddenCount > 0 && "max-h-40 overflow-auto")}>
        {lines.slice(0, isOpen ? undefined : MAX_SHOWN_LINES).map(({ line, text }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- one line of the field may hold several links
          <li key={index}>
            <button
              type="button"
              className="inline-flex min-h-6 items-center gap-[5px] rounded-1 text-left underline-offset-2 -outline-offset-2 hover:underline max-desk:min-h-11"
              onClick={() => onSelect(line)}
            >
              <Icon icon={icon} size={14} className={classNames("shrink-0", iconClassName)} />
              <span className="min-w-0 wrap-anywhere">{text}</span>
            </button>
          </li>
        ))}
        {hiddenCount > 0 && !isOpen && (
          <li>
            <button
              type="button"
              className="ml-[19px] min-h-6 rounded-1 underline underline-offset-2 max-desk:min-h-11"
              onClick={() => setIsOpen(true)}
            >
              and {pluralize(hiddenCount, "more line")}
            </button>
          </li>
        )}
      </ul>
      {children !== undefined && <div className="ml-[11px]">{children}</div>}
    </div>
  );
}
