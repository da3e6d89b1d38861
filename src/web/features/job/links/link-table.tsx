import { Check, Copy, FileSpreadsheet } from "lucide-react";
import { LINK_DAYS, type JobLinks, type OutputLink } from "#contract/links/job-links.ts";
import { formatCount } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { saveFile } from "../../../ui/buttons/save-file.ts";
import { useCopy } from "../../../ui/buttons/use-copy.ts";
import { Table, TableCell, type TableColumn } from "../../../ui/page/table.tsx";
import { tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { DayBars } from "./day-bars.tsx";
import { linksCsv } from "./links-csv.ts";
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
