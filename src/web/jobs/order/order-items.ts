import { ArrowUpToLine, CirclePause, CirclePlay } from "lucide-react";
import type { Job } from "#contract/jobs/jobs.ts";
import type { MenuItem } from "../../ui/menus/menu.tsx";
import { canChangeOrder, isOnHold } from "./order-in-queue.ts";
import { useChangeOrder } from "./use-change-order.ts";

export function useOrderItems(job: Job): MenuItem[] {
  const { changeOrder } = useChangeOrder();
  if (isOnHold(job)) {
    return [{ label: "Release", icon: CirclePlay, onSelect: () => changeOrder(job.id, "release") }];
  }
  if (!canChangeOrder(job)) return [];
  return [
    { label: "Move to front", icon: ArrowUpToLine, onSelect: () => changeOrder(job.id, "bump") },
    { label: "Hold", icon: CirclePause, onSelect: () => changeOrder(job.id, "hold") },
  ];
}
