import { CircleAlert, CircleCheck, CircleDashed } from "lucide-react";
import type { RouteHealth } from "#contract/cloak/cloak-calls.ts";
import { useNow } from "../../../jobs/time/seconds-clock.ts";
import { StatusBadge, type StatusTone } from "../../../ui/states/status-badge.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import type { LucideIcon } from "../../../ui/page/icon.tsx";
import { describeHealth } from "../describe-health.ts";

const LOOKS: Record<RouteHealth["state"], { tone: StatusTone; icon: LucideIcon; label: string }> = {
  up: { tone: "completed", icon: CircleCheck, label: "Up" },
  down: { tone: "failed", icon: CircleAlert, label: "Down" },
  unknown: { tone: "cancelled", icon: CircleDashed, label: "Unknown" },
};

/** Renders nothing for routes without a fallback, which are not checked. */
export function RouteHealthBadge({ health }: { health: RouteHealth | undefined }) {
  const nowMs = useNow(false);
  if (!health) return null;
  const words = describeHealth(health, nowMs);
  return (
    <span className="inline-flex" {...tooltip(words)}>
      <StatusBadge {...LOOKS[health.state]} isInline />
      <span className="sr-only">{words}</span>
    </span>
  );
}
