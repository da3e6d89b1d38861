import { Link } from "@tanstack/react-router";
import { RotateCcw } from "lucide-react";
import type { WatchFile, WatchFileState } from "#contract/watch-folders/watch-folders.ts";
import { runWatchFileAgain } from "../../api/functions/watch-folders.ts";
import { paths } from "../../app/routing/paths.ts";
import { quoteName } from "../../jobs/row/cut-text.ts";
import { statusLook } from "../../jobs/status/status-look.ts";
import { formatShortDate, formatWholeDate } from "../../jobs/time/short-date.ts";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { Table, TableCell, type TableColumn, TableSkeleton } from "../../ui/page/table.tsx";
import { tooltip, tooltipWhenCut } from "../../ui/page/tooltip.ts";
import { ShowOlder } from "../../ui/page/show-older.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { StatusBadge } from "../../ui/states/status-badge.tsx";
import { formatFileSize } from "../../ui/text/length-and-size.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { lookOfFile } from "./describe-folder.ts";
import { useWatchChange, useWatchFiles } from "./use-watch-folders.ts";

const LOOK = {
  label: "Files",
  columns: [
    { label: "Added" },
    { label: "File" },
    { label: "State" },
    { label: "Job or reason" },
    { label: "Size", className: "text-right" },
    { label: "Actions", isLabelHidden: true },
  ] satisfies TableColumn[],
  // On phones: name and action, state and size, job or reason, and time.
  gridClassName:
    "text-12 desk:grid-cols-[88px_minmax(0,4fr)_96px_minmax(0,5fr)_72px_32px] " +
    "max-desk:grid-cols-[minmax(0,1fr)_auto] max-desk:[grid-template-areas:'name_act'_'state_size'_'what_when']",
};

const EMPTY: Record<WatchFileState | "all", [title: string, text: string]> = {
  all: ["No files yet", "Files appear here once they are in the folder."],
  seen: ["No files are waiting", "New files wait here until they stop growing."],
  taken: ["No files in jobs", "Files appear here when their job starts."],
  skipped: ["No skipped files", "Files that cannot be used appear here, with the reason."],
  failed: ["No failed files", "Files that could not be read appear here, with the reason."],
};

export function FilesTable({ id, state, isPaused }: { id: string; state: WatchFileState | null; isPaused: boolean }) {
  const query = useWatchFiles(id, state);
  const toast = useToast();
  const { change } = useWatchChange();
  if (query.isPending) return <TableSkeleton {...LOOK} />;
  if (query.isLoadingError) {
    return (
      <ErrorState
        title="Couldn't load the files"
        text={query.error.message}
        isRetrying={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  // A file that arrived since shifts others to the next page.
  const files = [...new Map(query.data.pages.flat().map((file) => [file.id, file])).values()];
  if (files.length === 0) {
    const [title, text] = EMPTY[state ?? "all"];
    return <EmptyState title={title} text={text} />;
  }
  function runAgain(file: WatchFile) {
    change("Couldn't run the file again", async () => {
      await runWatchFileAgain(file.id);
      const description = `${quoteName(file.name)} will become a job at the next check.`;
      toast.show({ title: "Running Again", description, variant: "success" });
    });
  }
  return (
    <>
      <Table {...LOOK} items={files} keyOf={(file) => file.id}>
        {(file) => <FileCells file={file} isPaused={isPaused} onRunAgain={() => runAgain(file)} />}
      </Table>
      <ShowOlder query={query} className="px-6 py-3 max-desk:px-4" />
    </>
  );
}

function FileCells({ file, isPaused, onRunAgain }: { file: WatchFile; isPaused: boolean; onRunAgain: () => void }) {
  const hasRun = file.state !== "seen";
  return (
    <>
      <TableCell className="tnum whitespace-nowrap text-ink-3 max-desk:text-right max-desk:[grid-area:when]">
        <time dateTime={file.first_seen_at} {...tooltip(formatWholeDate(file.first_seen_at))}>
          {formatShortDate(file.first_seen_at)}
        </time>
      </TableCell>
      <TableCell className="raw truncate font-medium text-ink max-desk:[grid-area:name]" {...tooltipWhenCut(file.name)}>
        <span dir="auto">{file.name}</span>
      </TableCell>
      <TableCell className="max-desk:[grid-area:state]">
        <StatusBadge {...lookOfFile(file.state)} />
      </TableCell>
      <TableCell className="text-ink-2 max-desk:[grid-area:what]">
        <Outcome file={file} isPaused={isPaused} />
      </TableCell>
      <TableCell className="tnum text-right text-ink-3 max-desk:[grid-area:size]">
        {file.size_bytes === null ? "" : formatFileSize(file.size_bytes)}
      </TableCell>
      <TableCell className="max-desk:-mr-3 max-desk:justify-self-end max-desk:[grid-area:act]">
        {hasRun && !isPaused && <IconButton icon={RotateCcw} label={`Run ${file.name} again`} onClick={onRunAgain} />}
      </TableCell>
    </>
  );
}

function Outcome({ file: { state, job, reason }, isPaused }: { file: WatchFile; isPaused: boolean }) {
  if (reason !== null) return <span className="wrap-anywhere">{reason}</span>;
  if (state === "seen") return isPaused ? "Until the folder is resumed" : "Until it stops growing";
  if (!job) return <span className="text-ink-3">Deleted job</span>;
  const { icon } = statusLook(job.status);
  return (
    <Link
      to={paths.job}
      params={{ jobId: job.id }}
      className="flex max-w-full min-w-0 items-center gap-1.5 rounded-1 hover:text-ink"
      {...tooltipWhenCut(job.name)}
    >
      {icon === "spinner" ? <Spinner size={14} /> : <Icon icon={icon} size={14} className="shrink-0 text-ink-3" />}
      <span className="truncate underline decoration-line-strong underline-offset-2" dir="auto">
        {job.name}
      </span>
      <span className="shrink-0 text-ink-3">{job.status}</span>
    </Link>
  );
}
