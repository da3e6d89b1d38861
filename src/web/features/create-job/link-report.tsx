import { Check, CircleAlert, Copy } from "lucide-react";
import { useState, type ReactNode } from "react";
import { classNames } from "../../ui/class-names.ts";
import { Icon, type LucideIcon } from "../../ui/icon.tsx";
import type { CheckedLinks } from "./check-links.ts";
import { countWords } from "../../jobs/count-words.ts";

/** More lines than these are counted, and named when asked for: the field has to stay in sight. */
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
            {countWords(valid, "valid link")}
          </span>
        )}
        <span>{tip}</span>
      </div>
      <Lines
        icon={CircleAlert}
        label="Lines that are left out"
        className="text-failed"
        lines={links.problems.map(({ line, reason }) => `Line ${line} is left out: ${reason}`)}
      />
      <Lines
        icon={Copy}
        label="Lines that repeat another"
        lines={links.repeats.map(({ line, firstLine }) => `Line ${line} is the same as line ${firstLine}`)}
      />
    </div>
  );
}

function Lines({
  icon,
  label,
  className,
  lines,
}: {
  icon: LucideIcon;
  label: string;
  className?: string;
  lines: string[];
}) {
  const [isOpen, setIsOpen] = useState(false);
  if (lines.length === 0) return null;
  const unnamed = lines.length - MOST_NAMED_LINES;
  const isScrolled = isOpen && unnamed > 0;
  return (
    <ul
      aria-label={label}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls has to scroll by keyboard, too
      tabIndex={isScrolled ? 0 : undefined}
      className={classNames(className, isScrolled && "max-h-40 overflow-auto rounded-1")}
    >
      {lines.slice(0, isOpen ? undefined : MOST_NAMED_LINES).map((line, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- one line of the field may hold several links
        <Line key={index} icon={icon}>
          {line}
        </Line>
      ))}
      {unnamed > 0 && !isOpen && (
        <li>
          <button
            type="button"
            className="ml-[19px] min-h-6 rounded-1 underline underline-offset-2 max-desk:min-h-10"
            onClick={() => setIsOpen(true)}
          >
            and {countWords(unnamed, "more line")}
          </button>
        </li>
      )}
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
