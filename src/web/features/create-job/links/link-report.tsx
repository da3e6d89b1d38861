import { Check, CircleAlert, Copy, FileText } from "lucide-react";
import { Button } from "../../../ui/buttons/button.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import type { CheckedLinks } from "./check-links.ts";
import { NamedLines } from "./named-lines.tsx";

export function LinkReport({
  links,
  folders,
  tip,
  file,
  onSelectLine,
  onRewrite,
}: {
  links: CheckedLinks;
  /** Lines reported elsewhere. */
  folders?: ReadonlySet<number> | undefined;
  tip: string;
  /** With article: "a video file". */
  file: string;
  onSelectLine: (line: number) => void;
  /** `title` is the toast's. */
  onRewrite: (links: readonly string[], title: string) => void;
}) {
  const { valid, repeats, documents, unrepeated, entries } = links;
  const problems = links.problems.filter(({ line }) => !folders?.has(line));
  const isKept = (entry: CheckedLinks["entries"][number]) => entry.isValid || folders?.has(entry.line) === true;
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-center gap-x-3">
        {valid.length > 0 && (
          <span className="tnum inline-flex items-center gap-[5px] text-ink-2">
            <Icon icon={Check} size={14} className="shrink-0 text-completed" />
            {pluralize(valid.length, "valid link")}
          </span>
        )}
        <span>{tip}</span>
      </div>
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
              entries.filter(isKept).map(({ link }) => link),
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
        lines={repeats.map(({ line, firstLine }) => ({ line, text: `Line ${line} is the same as line ${firstLine}` }))}
        onSelect={onSelectLine}
      >
        <Button size="sm" look="quiet" onClick={() => onRewrite(unrepeated, "Duplicates Removed")}>
          Remove duplicates
        </Button>
      </NamedLines>
    </div>
  );
}
