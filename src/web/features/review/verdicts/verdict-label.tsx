import { Check, CircleDashed, X } from "lucide-react";
import type { Verdict } from "#contract/jobs/outputs/review.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Icon, type LucideIcon } from "../../../ui/page/icon.tsx";

const LOOKS: Record<Verdict | "none", { label: string; icon: LucideIcon; ink: string }> = {
  approved: { label: "Approved", icon: Check, ink: "text-completed" },
  rejected: { label: "Rejected", icon: X, ink: "text-failed" },
  none: { label: "Not reviewed", icon: CircleDashed, ink: "text-ink-3" },
};

export function verdictLook(verdict: Verdict | null) {
  return LOOKS[verdict ?? "none"];
}

export function VerdictLabel({ verdict, reason }: { verdict: Verdict | null; reason: string | null }) {
  const { label, icon, ink } = verdictLook(verdict);
  return (
    <span className={classNames("inline-flex min-w-0 items-start gap-1.5 text-12 font-medium", ink)}>
      <Icon icon={icon} size={14} className="mt-px shrink-0" />
      <span className="wrap-anywhere">{reason ? `${label}: ${reason}` : label}</span>
    </span>
  );
}
