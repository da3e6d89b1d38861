import { Check, CircleAlert, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { Icon, type LucideIcon } from "../../ui/icon.tsx";
import type { CheckedLinks } from "./check-links.ts";
import { countOf } from "./describe-plan.ts";

/** More lines than these are counted, not named: the field has to stay in sight. */
const MOST_NAMED_LINES = 5;

/** What a links field holds: how many valid links, which lines are not, and which repeat another. */
export function LinkReport({ links, tip }: { links: CheckedLinks; tip: string }) {
  const valid = links.valid.length;
  return (
    <div className="grid gap-1">
      <div className="flex flex-wrap items-center gap-x-3">
        {valid > 0 && (
          <span className="tnum inline-flex items-center gap-[5px] text-ink-2">
            <Icon icon={Check} size={14} className="shrink-0 text-completed" />
            {countOf(valid, "valid link")}
          </span>
        )}
        <span>{tip}</span>
      </div>
      <Lines
        icon={CircleAlert}
        className="text-failed"
        lines={links.problems.map(({ line, reason }) => `Line ${line} is left out: ${reason}`)}
      />
      <Lines
        icon={Copy}
        lines={links.repeats.map(({ line, firstLine }) => `Line ${line} is the same as line ${firstLine}`)}
      />
    </div>
  );
}

function Lines({ icon, className, lines }: { icon: LucideIcon; className?: string; lines: string[] }) {
  if (lines.length === 0) return null;
  const unnamed = lines.length - MOST_NAMED_LINES;
  return (
    <ul className={className}>
      {lines.slice(0, MOST_NAMED_LINES).map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- one line of the field may hold several links
        <Line key={index} icon={icon}>
          {line}
        </Line>
      ))}
      {unnamed > 0 && <Line icon={icon}>and {countOf(unnamed, "more line")}</Line>}
    </ul>
  );
}

function Line({ icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <li className="flex items-start gap-[5px]">
      <Icon icon={icon} size={14} className="mt-px shrink-0" />
      <span className="min-w-0">{children}</span>
    </li>
  );
}
