import { useState, type ReactNode } from "react";
import { classNames } from "../../../ui/class-names.ts";
import { Icon, type LucideIcon } from "../../../ui/page/icon.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";

/** Shows more only when expanded, to keep the field in view. */
const MAX_SHOWN_LINES = 5;

type NamedLine = { line: number; text: string };

/** `children` are actions for all lines. */
export function NamedLines({
  icon,
  label,
  lines,
  className,
  iconClassName,
  onSelect,
  children,
}: {
  icon: LucideIcon;
  label: string;
  lines: readonly NamedLine[];
  className?: string;
  iconClassName?: string;
  onSelect: (line: number) => void;
  children?: ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  if (lines.length === 0) return null;
  const hiddenCount = lines.length - MAX_SHOWN_LINES;
  return (
    <div>
      <ul aria-label={label} className={classNames(className, isOpen && hiddenCount > 0 && "max-h-40 overflow-auto")}>
        {lines.slice(0, isOpen ? undefined : MAX_SHOWN_LINES).map(({ line, text }, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- one line of the field may hold several links
          <li key={index}>
            <button
              type="button"
              className="inline-flex min-h-6 items-center gap-[5px] rounded-1 text-left underline-offset-2 -outline-offset-2 hover:underline max-desk:min-h-11"
              onClick={() => onSelect(line)}
            >
              <Icon icon={icon} size={14} className={classNames("shrink-0", iconClassName)} />
              <span className="min-w-0 wrap-anywhere">{text}</span>
            </button>
          </li>
        ))}
        {hiddenCount > 0 && !isOpen && (
          <li>
            <button
              type="button"
              className="ml-[19px] min-h-6 rounded-1 underline underline-offset-2 max-desk:min-h-11"
              onClick={() => setIsOpen(true)}
            >
              and {pluralize(hiddenCount, "more line")}
            </button>
          </li>
        )}
      </ul>
      {children !== undefined && <div className="ml-[11px]">{children}</div>}
    </div>
  );
}
