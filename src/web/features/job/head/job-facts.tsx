import { Check, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { linkNames } from "#contract/job-settings/setting-values.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { nameSource } from "../../../sources/named-sources.ts";
import { useLibrary } from "../../../sources/use-library.ts";
import { ElapsedTime } from "../../../jobs/time/elapsed-time.tsx";
import { formatShortDate, formatWholeDate } from "../../../jobs/time/short-date.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { describeSettings } from "./describe-settings.ts";
import { useCopy } from "../../../ui/buttons/use-copy.ts";

const SHOWN_ID_CHARACTERS = 8;

export function JobFacts({ job }: { job: Job }) {
  const links = linkNames().flatMap((name) => job[name] ?? []);
  const library = useLibrary(links, links.length > 0);
  return (
    <>
      <section className={BLOCK}>
        <h2 className="mb-3 text-13">Settings</h2>
        <dl className={FACTS}>
          {describeSettings(job, (link) => nameSource(link, library)).map(([name, value]) => (
            <Fact key={name} name={name}>
              {value}
            </Fact>
          ))}
        </dl>
      </section>
      <section className={BLOCK} aria-label="Dates and ID">
        <dl className={FACTS}>
          <Fact name="Created">
            <ShortDate iso={job.created_at} />
          </Fact>
          <Fact name="Started">
            {job.processing_started_at ? <ShortDate iso={job.processing_started_at} /> : "Not yet"}
          </Fact>
          <Fact name="Elapsed">
            <ElapsedTime job={job} />
          </Fact>
          <Fact name="Retries">{job.retry_count}</Fact>
          <Fact name="Job ID">
            <JobId id={job.id} />
          </Fact>
        </dl>
      </section>
    </>
  );
}

const BLOCK = "border-t border-line px-5 py-4 max-desk:order-1 max-desk:px-4";
const FACTS = "grid grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-4 gap-y-1.5 text-12";

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{name}</dt>
      <dd className="tnum text-right wrap-anywhere text-ink">{children}</dd>
    </>
  );
}

function ShortDate({ iso }: { iso: string }) {
  return (
    <time dateTime={iso} {...tooltip(formatWholeDate(iso))}>
      {formatShortDate(iso)}
    </time>
  );
}

function JobId({ id }: { id: string }) {
  const { copied, copy } = useCopy();
  return (
    <span className="inline-flex items-center gap-1">
      <span className="raw font-mono" {...tooltip(id)}>
        {id.slice(0, SHOWN_ID_CHARACTERS)}
      </span>
      <IconButton
        icon={copied ? Check : Copy}
        label={copied ? "Copied!" : "Copy job ID"}
        className="-my-1.5 -mr-1.5 max-desk:-my-3 max-desk:-mr-3"
        onClick={() => copy(id)}
      />
    </span>
  );
}
