import { Link } from "@tanstack/react-router";
import type { Transcript } from "#contract/transcripts/transcripts.ts";
import { paths } from "../../app/routing/paths.ts";
import { formatShortDate, formatWholeDate } from "../../jobs/time/short-date.ts";
import { pluralize, formatCount } from "../../jobs/row/pluralize.ts";
import { Table, TableCell, type TableColumn, TableSkeleton } from "../../ui/page/table.tsx";
import { tooltip, tooltipWhenCut } from "../../ui/page/tooltip.ts";
import { StatusBadge } from "../../ui/states/status-badge.tsx";
import { formatClipLength } from "../../ui/text/length-and-size.ts";
import { describeStatus, nameLanguage } from "./status.ts";

const LOOK = {
  label: "Transcripts",
  columns: [
    { label: "Name" },
    { label: "Status" },
    { label: "Language" },
    { label: "Used by" },
    { label: "Lines", className: "text-right" },
    { label: "Length", className: "text-right" },
    { label: "Changed" },
  ] satisfies TableColumn[],
  // On phones: name, status and time, language and length, use.
  gridClassName:
    "text-12 desk:grid-cols-[minmax(0,5fr)_120px_minmax(0,2fr)_minmax(0,3fr)_48px_64px_100px] " +
    "max-desk:grid-cols-[minmax(0,1fr)_auto] max-desk:[grid-template-areas:'name_name'_'status_when'_'language_length'_'used_used']",
};

export function TranscriptTable({ transcripts }: { transcripts: readonly Transcript[] }) {
  return (
    <Table {...LOOK} items={transcripts} keyOf={({ id }) => id}>
      {(transcript) => <Cells transcript={transcript} />}
    </Table>
  );
}

export function TranscriptTableSkeleton() {
  return <TableSkeleton {...LOOK} label="Loading transcripts" />;
}

function Cells({ transcript }: { transcript: Transcript }) {
  const { id, name, error_message: reason, edited_at: editedAt, created_at: createdAt } = transcript;
  const at = editedAt ?? createdAt;
  return (
    <>
      <TableCell
        className="truncate text-13 font-medium text-ink max-desk:text-14 max-desk:[grid-area:name]"
        {...tooltipWhenCut(name)}
      >
        <Link
          to={paths.transcript}
          params={{ transcriptId: id }}
          dir="auto"
          className="rounded-1 underline-offset-2 hover:underline max-desk:block max-desk:min-h-11 max-desk:truncate max-desk:pt-3"
        >
          {name}
        </Link>
      </TableCell>
      <TableCell className="max-desk:[grid-area:status]" {...tooltip(reason ?? undefined)}>
        <StatusBadge {...describeStatus(transcript)} />
      </TableCell>
      <TableCell className="truncate text-ink-2 max-desk:[grid-area:language]">
        {nameLanguage(transcript.language)}
      </TableCell>
      <TableCell className="truncate text-ink-3 max-desk:[grid-area:used]" {...tooltipWhenCut(describeUse(transcript))}>
        {describeUse(transcript)}
      </TableCell>
      <TableCell className="tnum text-right text-ink-3 max-desk:hidden">{formatCount(transcript.line_count)}</TableCell>
      <TableCell className="tnum text-right text-ink-3 max-desk:[grid-area:length]">
        {formatClipLength(transcript.duration_seconds)}
      </TableCell>
      <TableCell className="tnum whitespace-nowrap text-ink-3 max-desk:text-right max-desk:[grid-area:when]">
        <time dateTime={at} {...tooltip(formatWholeDate(at))}>
          {formatShortDate(at)}
        </time>
      </TableCell>
    </>
  );
}

function describeUse({ videos }: Transcript): string {
  const [first] = videos;
  if (!first) return "No video";
  const name = first.job_name || "Unnamed job";
  const jobs = new Set(videos.map(({ job_id: id }) => id)).size;
  return jobs === 1 ? name : `${name} and ${pluralize(jobs - 1, "other job")}`;
}
