import { Check, TriangleAlert } from "lucide-react";
import { Fragment, useId, useState } from "react";
import {
  CONFORMANCE_RULES,
  type ConformanceCheck,
  type ConformanceReport,
} from "#contract/jobs/outputs/conformance.ts";
import { PLATFORMS, sourcesOf } from "#contract/jobs/outputs/platforms.ts";
import { DetailsButton } from "../ui/buttons/details-button.tsx";
import { classNames } from "../ui/class-names.ts";
import { Icon } from "../ui/page/icon.tsx";

export function ConformanceDetails({ report, name }: { report: ConformanceReport; name: string }) {
  const [isOpen, setIsOpen] = useState(false);
  const id = useId();
  const { label } = PLATFORMS[report.platform];
  const unmet = report.checks.filter(({ status }) => status === "warn").length;
  const summary = `${label}: ${report.checks.length - unmet} of ${report.checks.length} rules met`;
  return (
    <div className="-ml-2 basis-full">
      <DetailsButton isOpen={isOpen} panelId={id} subject={name} label={summary} onToggle={setIsOpen} />
      <div id={id} hidden={!isOpen} className="ml-2">
        {isOpen && (
          <div className="mt-1 rounded-2 bg-well p-3">
            <ul className="grid grid-cols-[auto_auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 text-12">
              {report.checks.map((check) => (
                <CheckRow key={check.rule} check={check} />
              ))}
            </ul>
            <p className="mt-2 text-11 text-ink-3">
              Rules for {label} as of {report.rules_read_on}, from{" "}
              {sourcesOf(report.platform).map(({ name, url, isVerified }, i) => (
                <Fragment key={url}>
                  {i > 0 && "; "}
                  <a href={url} target="_blank" rel="noreferrer" className="underline">
                    {name}
                  </a>
                  {!isVerified && " (not confirmed by the platform)"}
                </Fragment>
              ))}
            </p>
          </div>
        )}
      </div>
    </div>
  );
}

function CheckRow({ check: { rule, status, found, expected } }: { check: ConformanceCheck }) {
  const isMet = status === "pass";
  return (
    <li className="col-span-full grid grid-cols-subgrid items-start">
      <span className="flex items-center gap-1.5 text-ink-2">
        <Icon icon={isMet ? Check : TriangleAlert} size={14} className={isMet ? "text-ink-3" : "text-warning"} />
        <span className="sr-only">{isMet ? "Met:" : "Not met:"}</span>
        {CONFORMANCE_RULES[rule]}
      </span>
      <span className={classNames("tnum", isMet ? "text-ink" : "text-warning")}>{found}</span>
      <span className="tnum text-ink-3">{expected}</span>
    </li>
  );
}
