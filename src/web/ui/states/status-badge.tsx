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

const FILLS: Record<StatusTone, string> = {
  queued: "bg-queued-tint",
  completed: "bg-completed-tint",
  cancelled: "bg-cancelled-tint",
  processing: "bg-processing-tint",
  cancelling: "bg-cancelling-tint",
  failed: "bg-failed-tint",
  warning: "bg-warning-tint",
};

/** Extends 6 px to the left, so that icons align with the head of a column; `isInline` turns that off within text. */
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
  return (
    <span
      className={classNames(
        "tnum inline-flex h-[22px] items-center gap-1.5 rounded-2 pr-2 pl-1.5 text-12 font-medium whitespace-nowrap",
        INKS[tone],
        FILLS[tone],
        !isInline && "desk:-ml-1.5",
      )}
    >
      {icon === "spinner" ? <Spinner size={14} /> : <Icon icon={icon} size={14} />}
      {label}
    </span>
  );
}
