import { classNames } from "../class-names.ts";
import { Icon, type LucideIcon } from "../page/icon.tsx";
import { Spinner } from "./spinner.tsx";

export type StatusTone = "queued" | "processing" | "cancelling" | "completed" | "failed" | "cancelled" | "warning";

const INKS: Record<StatusTone, string> = {
  queued: "text-queued",
  processing: "text-processing",
  cancelling: "text-cancelling",
  completed: "text-completed",
  failed: "text-failed",
  cancelled: "text-cancelled",
  warning: "text-warning",
};

/** Filled tones mark current activity or a need for attention. */
const FILLS: Partial<Record<StatusTone, string>> = {
  processing: "bg-processing-tint",
  cancelling: "bg-cancelling-tint",
  failed: "bg-failed-tint",
  warning: "bg-warning-tint",
};

/** Filled badges extend 6 px to the left, so that icons align in a column; `isInline` turns that off within text. */
export function StatusBadge({
  tone,
  icon,
  label,
  isInline = false,
}: {
  tone: StatusTone;
  icon: LucideIcon | "spinner";
  label: string;
  isInline?: boolean;
}) {
  const fill = FILLS[tone];
  return (
    <span
      className={classNames(
        "tnum inline-flex h-[22px] items-center gap-1.5 rounded-2 text-12 font-medium whitespace-nowrap",
        INKS[tone],
        fill,
        fill && "pr-2 pl-1.5",
        fill && !isInline && "-ml-1.5",
      )}
    >
      {icon === "spinner" ? <Spinner size={14} /> : <Icon icon={icon} size={14} />}
      {label}
    </span>
  );
}
