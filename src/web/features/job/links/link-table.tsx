import { Check, Copy, FileSpreadsheet } from "lucide-react";
import { type JobLinks, LINK_DAYS, type OutputLink } from "#contract/links/job-links.ts";
import { protectCell } from "#contract/table/cell-protection.ts";
import { formatCount } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { saveFile } from "../../../ui/buttons/save-file.ts";
import { useCopy } from "../../../ui/buttons/use-copy.ts";
import { Table, TableCell, type TableColumn } from "../../../ui/page/table.tsx";
import { tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { type LinkSums, sumLinks, sumVariants } from "./sum-links.ts";

const CSV = "text/csv;charset=utf-8";
const FIGURE = "desk:text-right";
const COLUMNS: readonly TableColumn[] = [
  { label: "File" },
  { label: "Link" },
  { label: "Last 30 days", className: "max-wide:hidden" },
  { label: "Today", className: `${FIGURE} max-wide:hidden` },
  { label: "30 days", className: FIGURE },
  { label: "All", className: FIGURE },
  { label: "Actions", isLabelHidden: true },
];
const GRID =
  "-mx-6 max-desk:-mx-4 desk:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_56px_56px_32px] " +
  "wide:grid-cols-[minmax(0,1fr)_minmax(0,1.2fr)_120px_56px_64px_64px_32px] max-desk:grid-cols-[minmax(0,1fr)_auto]";

export function LinkTable({ data, jobId }: { data: JobLinks; jobId: string }) {
  const { copied, copy } = useCopy();
  const variants = sumVariants(data.links);
  return (
    <div className="pt-2">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <Sums name="All links" sums={sumLinks(data.links)} />
        <Button size="sm" icon={FileSpreadsheet} onClick={() => saveFile(`${jobId}-links.csv`, linksCsv(data), CSV)}>
          Download CSV
        </Button>
      </div>
      {variants.length > 1 && (
        <ul aria-label="Clicks per variant" className="mt-3 flex max-h-56 flex-wrap gap-x-6 gap-y-3 overflow-y-auto">
          {variants.map((sums) => (
            <li key={sums.variant}>
              <Sums name={`Variant ${sums.variant + 1}`} sums={sums} />
            </li>
          ))}
        </ul>
      )}
      <div className="mt-4">
        <Table
          label="Links"
          columns={COLUMNS}
          gridClassName={GRID}
          items={data.links}
          keyOf={({ output_id: id }) => id}
        >
          {(link) => (
            <>
              <TableCell className="truncate max-desk:row-start-1" {...tooltipWhenCut(link.name)}>
                {link.name}
              </TableCell>
              <TableCell
                className="raw truncate text-12 text-ink-2 max-desk:row-start-2"
                {...tooltipWhenCut(`${link.url} leads to ${link.target}`)}
              >
                {link.url}
              </TableCell>
              <TableCell className="max-wide:hidden">
                <DayBars days={link.days} />
              </TableCell>
              <TableCell className={`tnum ${FIGURE} max-wide:hidden`}>{formatCount(link.days.at(-1) ?? 0)}</TableCell>
              <RecentCell link={link} />
              <TableCell className={`tnum ${FIGURE} max-desk:hidden`}>{formatCount(link.clicks)}</TableCell>
              <TableCell className="max-desk:col-start-2 max-desk:row-start-1">
                <IconButton
                  icon={copied === link.url ? Check : Copy}
                  label={copied === link.url ? "Copied!" : `Copy the link for ${link.name}`}
                  onClick={() => copy(link.url)}
                />
              </TableCell>
            </>
          )}
        </Table>
      </div>
    </div>
  );
}

function RecentCell({ link }: { link: OutputLink }) {
  const recent = link.days.reduce((sum, clicks) => sum + clicks, 0);
  return (
    <TableCell className={`tnum ${FIGURE} max-desk:row-start-3 max-desk:text-12 max-desk:text-ink-3`}>
      {formatCount(recent)}
      <span className="desk:hidden">{` clicks in ${LINK_DAYS} days, ${formatCount(link.clicks)} in total`}</span>
    </TableCell>
  );
}

function Sums({ name, sums: { days, recent, today, clicks } }: { name: string; sums: LinkSums }) {
  return (
    <div>
      <DayBars days={days} />
      <p className="tnum mt-1 text-12 text-ink-3">
        <b className="font-medium text-ink">{name}</b>{" "}
        {`${formatCount(today)} today, ${formatCount(recent)} in ${LINK_DAYS} days, ${formatCount(clicks)} in total`}
      </p>
    </div>
  );
}

const DAY_MS = 86_400_000;

/** UTC days, such as "2026-03-01". */
function daysOf({ first_day: first }: Pick<JobLinks, "first_day">): string[] {
  const startMs = Date.parse(first);
  return Array.from({ length: LINK_DAYS }, (_, i) => new Date(startMs + i * DAY_MS).toISOString().slice(0, 10));
}

function linksCsv(data: JobLinks): string {
  const header = ["output", "row", "variant", "segment", "link", "target", "clicks", ...daysOf(data)];
  const lines = data.links.map((link) => [
    link.name,
    link.position + 1,
    link.variant + 1,
    link.segment + 1,
    link.url,
    link.target,
    link.clicks,
    ...link.days,
  ]);
  return `\uFEFF${[header, ...lines].map((cells) => `${cells.map(toCell).join(",")}\r\n`).join("")}`;
}

function toCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const cell = protectCell(value);
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}

const BAR_PX = 3;
const GAP_PX = 1;
const HEIGHT_PX = 20;

/** One bar per day, today last. Hidden from screen readers, which get the figures. */
function DayBars({ days }: { days: readonly number[] }) {
  const most = Math.max(1, ...days);
  return (
    <svg
      aria-hidden
      width={days.length * (BAR_PX + GAP_PX)}
      height={HEIGHT_PX}
      className="max-w-full text-ink-3"
      fill="currentColor"
    >
      {days.map((clicks, day) => {
        const height = clicks === 0 ? 1 : Math.max(2, (clicks / most) * HEIGHT_PX);
        return (
          <rect
            // oxlint-disable-next-line react/no-array-index-key -- a bar is its day
            key={day}
            x={day * (BAR_PX + GAP_PX)}
            y={HEIGHT_PX - height}
            width={BAR_PX}
            height={height}
            opacity={clicks === 0 ? 0.4 : 1}
          />
        );
      })}
    </svg>
  );
}
