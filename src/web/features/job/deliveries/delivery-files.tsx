import { CircleCheck, CircleX, Clock, RotateCcw } from "lucide-react";
import type { Delivery, DeliveryFile, DeliveryFileState } from "#contract/destinations/deliveries.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { GrowingList } from "../../../ui/page/growing-list.tsx";
import type { LucideIcon } from "../../../ui/page/icon.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { StatusBadge, type StatusTone } from "../../../ui/states/status-badge.tsx";
import { useDeliveryFiles } from "./use-deliveries.ts";

const STATES: Record<DeliveryFileState, { tone: StatusTone; icon: LucideIcon }> = {
  Waiting: { tone: "queued", icon: Clock },
  Delivered: { tone: "completed", icon: CircleCheck },
  Failed: { tone: "failed", icon: CircleX },
};

export function DeliveryFiles({ delivery, label }: { delivery: Delivery; label: string }) {
  const { data: files, isError, refetch, isFetching } = useDeliveryFiles(delivery);
  if (isError && !files) {
    return (
      <div className="flex items-center gap-3">
        <p className="flex-1 text-12 text-ink-2">Couldn't load the files of this delivery.</p>
        <Button size="sm" icon={RotateCcw} isBusy={isFetching} onClick={() => void refetch()}>
          Try again
        </Button>
      </div>
    );
  }
  if (!files) return <Skeleton className="h-16 w-full" />;
  return (
    // Focusable, so that it can be scrolled by keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <ul tabIndex={0} aria-label={label} className="grid max-h-72 overflow-auto rounded-2 bg-well px-3 py-1 text-12">
      <GrowingList items={files}>{(file) => <FileRow key={file.id} file={file} />}</GrowingList>
    </ul>
  );
}

function FileRow({ file }: { file: DeliveryFile }) {
  const { name, target_path: target, state, error_message: reason } = file;
  const isRenamed = target !== null && target.slice(target.lastIndexOf("/") + 1) !== name;
  return (
    <li className="grid gap-0.5 border-t border-line py-1.5 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-3">
        <span className="raw min-w-0 flex-1 basis-40 wrap-anywhere text-ink">
          {name}
          {isRenamed && <span className="text-ink-3"> as {target.slice(target.lastIndexOf("/") + 1)}</span>}
        </span>
        <StatusBadge {...STATES[state]} label={state} isInline />
      </div>
      {reason !== null && <p className="wrap-anywhere text-ink-2">{reason}</p>}
    </li>
  );
}
