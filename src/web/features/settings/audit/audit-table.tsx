import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { AuditEntry } from "#contract/calls.ts";
import { AUDIT_PAGE, loadAudit } from "../../../api/functions/settings/settings.ts";
import { paths } from "../../../app/routing/paths.ts";
import { formatShortDate, formatWholeDate } from "../../../jobs/time/short-date.ts";
import { ShowOlder } from "../../../ui/page/show-older.tsx";
import { EmptyState } from "../../../ui/states/empty-state.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { Table, TableCell, type TableColumn, TableSkeleton } from "../../../ui/page/table.tsx";
import { tooltip, tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { describeAction, describeSubject } from "./describe-action.ts";

const SHOWN_ID_CHARACTERS = 8;

const LOOK = {
  label: "Audit log",
  columns: [
    { label: "Time" },
    { label: "User" },
    { label: "Action" },
    { label: "Target", className: "text-right" },
  ] satisfies TableColumn[],
  // On phones: action and target, then user and time.
  gridClassName:
    "text-12 desk:grid-cols-[88px_minmax(0,4fr)_minmax(0,5fr)_minmax(0,5fr)] " +
    "max-desk:grid-cols-[minmax(0,1fr)_fit-content(55%)] max-desk:[grid-template-areas:'act_what'_'who_when']",
};

export default function AuditTable() {
  const audit = useInfiniteQuery({
    queryKey: ["audit"],
    initialPageParam: null as number | null,
    queryFn: ({ pageParam, signal }) => loadAudit(pageParam, signal),
    getNextPageParam: (last) => (last.length < AUDIT_PAGE ? undefined : last.at(-1)!.id),
    // Reopening loads the newest entries.
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
  if (audit.isPending)
    return (
      <Bleeding>
        <TableSkeleton {...LOOK} />
      </Bleeding>
    );
  if (audit.isLoadingError) {
    return (
      <ErrorState
        title="Couldn't load the audit log"
        text="Activity is still being recorded."
        isRetrying={audit.isFetching}
        onRetry={() => void audit.refetch()}
      />
    );
  }
  const entries = audit.data.pages.flat();
  if (entries.length === 0) return <EmptyState title="No activity yet" text="Activity will appear here." />;
  return (
    <>
      <Bleeding>
        <Table {...LOOK} items={entries} keyOf={(entry) => String(entry.id)}>
          {(entry) => <AuditCells entry={entry} />}
        </Table>
      </Bleeding>
      <ShowOlder query={audit} end="End of the audit log." />
    </>
  );
}

/** Cancels the section's margins; tables have their own. */
function Bleeding({ children }: { children: ReactNode }) {
  return <div className="-mx-6 max-desk:-mx-4">{children}</div>;
}

function AuditCells({ entry }: { entry: AuditEntry }) {
  return (
    <>
      <TableCell className="tnum whitespace-nowrap text-ink-3 max-desk:text-right max-desk:[grid-area:when]">
        <time dateTime={entry.created_at} {...tooltip(formatWholeDate(entry.created_at))}>
          {formatShortDate(entry.created_at)}
        </time>
      </TableCell>
      <TableCell
        className="truncate text-ink-2 max-desk:text-ink-3 max-desk:[grid-area:who]"
        {...tooltipWhenCut(entry.email)}
      >
        {entry.email}
      </TableCell>
      <TableCell className="wrap-anywhere text-ink max-desk:[grid-area:act]">{describeAction(entry)}</TableCell>
      <SubjectCell entry={entry} />
    </>
  );
}

function SubjectCell({ entry }: { entry: AuditEntry }) {
  const subject = describeSubject(entry);
  const className = "raw text-right text-ink-2 max-desk:[grid-area:what]";
  switch (subject.kind) {
    case "none":
      return <TableCell className={className} />;
    case "words":
      return (
        <TableCell className={`${className} truncate`} {...tooltipWhenCut(subject.text)}>
          {subject.text}
        </TableCell>
      );
    case "job":
      return (
        <TableCell
          className={className}
          {...(subject.name === null ? tooltip(subject.id) : tooltipWhenCut(subject.name))}
        >
          <Link
            to={paths.job}
            params={{ jobId: subject.id }}
            className="inline-block max-w-full truncate rounded-1 align-bottom underline decoration-line-strong underline-offset-2 hover:text-ink"
          >
            {subject.name ?? <ShortId id={subject.id} />}
          </Link>
        </TableCell>
      );
    case "id":
      return (
        <TableCell className={className} {...tooltip(subject.id)}>
          <ShortId id={subject.id} />
        </TableCell>
      );
  }
}

function ShortId({ id }: { id: string }) {
  return <span className="font-mono">{id.slice(0, SHOWN_ID_CHARACTERS)}</span>;
}
