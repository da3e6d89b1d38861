import { Check, Copy } from "lucide-react";
import { useId, useState, type ReactNode } from "react";
import type { JobOutput } from "#contract/jobs/jobs.ts";
import { formatWholeDate } from "../../jobs/time/short-date.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { DetailsButton } from "../../ui/buttons/details-button.tsx";
import { useCopy } from "../../ui/buttons/use-copy.ts";
import { type FailedRow, type FailureSubject, writeFailureReport } from "./failure-report.ts";

declare const CLIPMILL_VERSION: string;

/** Defined by the build. */
const VERSION = CLIPMILL_VERSION;

type FailureDetailsProps = {
  subject: FailureSubject;
  row: FailedRow;
  /** Null if the video itself failed. */
  output: Pick<JobOutput, "id" | "name"> | null;
  /** Positions the toggle button and the panel. */
  children: (toggle: ReactNode, panel: ReactNode) => ReactNode;
};

export function FailureDetails({ subject, row, output, children }: FailureDetailsProps) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const toggle = (
    <DetailsButton
      isOpen={isOpen}
      panelId={id}
      subject={output ? output.name : `video ${subject.position + 1}`}
      label="Details"
      onToggle={setIsOpen}
    />
  );
  const panel = (
    <div id={id} hidden={!isOpen}>
      {isOpen && <DetailsPanel subject={subject} row={row} output={output} />}
    </div>
  );
  return children(toggle, panel);
}

function DetailsPanel({ subject, row, output }: Omit<FailureDetailsProps, "children">) {
  const { copied, copy } = useCopy();
  const facts: [string, string | number | null | undefined][] = [
    ["Step", row.error_step],
    ["Code", row.error_code],
    ["Attempts", row.attempts],
    ["Failed", formatWholeDate(row.ended_at ?? row.updated_at)],
  ];
  return (
    <div className="grid gap-3 rounded-2 bg-well p-3">
      <dl className="flex flex-wrap gap-x-6 gap-y-2 text-12">
        {facts.map(
          ([name, value]) =>
            value !== null &&
            value !== undefined && (
              <div key={name}>
                <dt className="text-11 text-ink-3">{name}</dt>
                <dd className="raw text-ink">{value}</dd>
              </div>
            ),
        )}
      </dl>
      {row.error_tail !== null && (
        <div>
          <p className="mb-1 text-11 text-ink-3">Last lines of output</p>
          <pre
            // Long lines wrap; many lines scroll, also with the keyboard.
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
            tabIndex={0}
            aria-label="Last lines of output"
            className="max-h-48 overflow-y-auto rounded-1 font-mono text-[11px] leading-4 wrap-anywhere whitespace-pre-wrap text-ink-2"
          >
            {row.error_tail}
          </pre>
        </div>
      )}
      <div>
        <Button
          size="sm"
          icon={copied === null ? Copy : Check}
          onClick={() => copy(writeFailureReport(VERSION, subject, row, output))}
        >
          {copied === null ? "Copy report" : "Copied!"}
        </Button>
      </div>
    </div>
  );
}
