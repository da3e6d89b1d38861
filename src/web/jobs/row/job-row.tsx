import { Link } from "@tanstack/react-router";
import { Film } from "lucide-react";
import type { ReactNode } from "react";
import { type Job, jobTitle } from "#contract/jobs/jobs.ts";
import { paths } from "../../app/routing/paths.ts";
import { classNames } from "../../ui/class-names.ts";
import { Icon } from "../../ui/page/icon.tsx";
import { tooltip, tooltipWhenCut } from "../../ui/page/tooltip.ts";
import { JobStatusBadge } from "../status/job-status-badge.tsx";
import { formatShortDate, formatWholeDate } from "../time/short-date.ts";
import { hasProminentDetail } from "./job-detail.tsx";

/**
 * Opens the job wherever it is clicked. Fixed columns, so that live changes never move neighbors. Stacked on phones, which show `check` only while
 * `isSelecting`.
 */
export function JobRow({
  job,
  className,
  check,
  isSelecting = false,
  isSelected = false,
  meta,
  detail,
  elapsed,
  quietProgress,
  actions,
}: {
  job: Job;
  className: string;
  check?: ReactNode;
  isSelecting?: boolean;
  isSelected?: boolean;
  meta: ReactNode;
  detail: ReactNode;
  elapsed?: ReactNode;
  /** Beside the date on phones, without a detail. */
  quietProgress?: ReactNode;
  actions: ReactNode;
}) {
  return (
    <div
      className={classNames(
        ROW,
        isSelecting ? PHONE_SELECTING : PHONE,
        isSelected ? "bg-select" : "rounded-2 hover:bg-raised",
        className,
      )}
    >
      {check && (
        <div
          className={classNames(
            "relative z-1 flex max-desk:self-start max-desk:[grid-area:check]",
            !isSelecting && "max-desk:hidden",
          )}
        >
          {check}
        </div>
      )}
      <div className="flex min-w-0 items-center gap-3 max-desk:[grid-area:what]">
        <FirstPicture url={job.thumbnail_url ?? null} />
        <div className="min-w-0 flex-1">
          <p dir="auto" className="truncate text-left text-14 font-medium" {...tooltipWhenCut(jobTitle(job))}>
            <Link to={paths.job} params={{ jobId: job.id }} className={WHOLE_ROW}>
              {jobTitle(job)}
            </Link>
          </p>
          {meta}
        </div>
      </div>
      <div className="max-desk:[grid-area:state]">
        <JobStatusBadge job={job} />
      </div>
      <div
        className={classNames(
          "min-w-0 max-desk:pt-1.5 max-desk:[grid-area:detail]",
          !hasProminentDetail(job) && "max-desk:hidden",
        )}
      >
        {detail}
      </div>
      {elapsed && <div className="tnum text-right text-12 text-ink-3 max-wide:hidden">{elapsed}</div>}
      <div className="tnum self-center text-right text-12 text-ink-3 desk:whitespace-nowrap max-desk:[grid-area:when]">
        {quietProgress && !hasProminentDetail(job) && (
          <span className={`${BESIDE_DATE} desk:hidden`}>{quietProgress}</span>
        )}
        {elapsed && <span className={ELAPSED_BESIDE_DATE}>{elapsed}</span>}
        {/* Above the row's link, for its tooltip. */}
        <Link
          to={paths.job}
          params={{ jobId: job.id }}
          tabIndex={-1}
          className="relative z-1 max-desk:pointer-events-none"
        >
          <time dateTime={job.created_at} {...tooltip(formatWholeDate(job.created_at))}>
            {formatShortDate(job.created_at)}
          </time>
        </Link>
      </div>
      <div className="relative z-1 -mr-1.5 flex justify-end gap-0.5 max-desk:-mr-3 max-desk:[grid-area:acts]">
        {actions}
      </div>
    </div>
  );
}

function FirstPicture({ url }: { url: string | null }) {
  return (
    <span className="grid h-11 w-8 shrink-0 place-items-center overflow-hidden rounded-1 bg-well text-ink-off">
      {url ? (
        <img src={url} alt="" loading="lazy" decoding="async" className="size-full object-cover" />
      ) : (
        <Icon icon={Film} size={14} />
      )}
    </span>
  );
}

const WHOLE_ROW =
  "text-ink outline-none after:absolute after:inset-0 after:rounded-2 hover:underline focus-visible:after:outline-2 " +
  "focus-visible:after:-outline-offset-2 focus-visible:after:outline-focus";

/** Precedes the date on phones, which have no columns. */
const BESIDE_DATE = "max-desk:after:content-['_·_'/'']";
/** Above the date on narrow screens, which have no column for it. */
const ELAPSED_BESIDE_DATE = `${BESIDE_DATE} desk:block wide:hidden`;

const ROW =
  "relative grid min-h-15 items-center gap-x-4 px-3 py-2 transition-colors " +
  "before:absolute before:inset-x-3 before:top-0 before:border-t before:border-line [li:first-child>&]:before:hidden " +
  "max-desk:gap-y-1 max-desk:rounded-none max-desk:px-4 max-desk:py-3 max-desk:before:inset-x-4";

const PHONE =
  "max-desk:grid-cols-[auto_minmax(0,1fr)_auto] " +
  "max-desk:[grid-template-areas:'what_what_acts'_'state_when_when'_'detail_detail_detail']";
const PHONE_SELECTING =
  "max-desk:grid-cols-[16px_auto_minmax(0,1fr)_auto] max-desk:gap-x-3 " +
  "max-desk:[grid-template-areas:'check_what_what_acts'_'check_state_when_when'_'check_detail_detail_detail']";

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
