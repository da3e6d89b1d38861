import { Ban, CircleAlert, CircleCheck, CircleX, Clock, RotateCcw } from "lucide-react";
import { useId, useState } from "react";
import {
  type Delivery,
  type DeliveryFile,
  type DeliveryFileState,
  type DeliveryStatus,
  isOpenDelivery,
} from "#contract/destinations/deliveries.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { DetailsButton } from "../../../ui/buttons/details-button.tsx";
import { onSingleClick } from "../../../ui/buttons/on-single-click.ts";
import { GrowingList } from "../../../ui/page/growing-list.tsx";
import { Icon, type LucideIcon } from "../../../ui/page/icon.tsx";
import { Skeleton } from "../../../ui/states/skeleton.tsx";
import { StatusBadge, type StatusTone } from "../../../ui/states/status-badge.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { DELIVERY_TONES, describeProgress, listReasons } from "./describe-delivery.ts";
import { useChangeDeliveries, useDeliveries, useDeliveryFiles } from "./use-deliveries.ts";

const ICONS: Record<DeliveryStatus, LucideIcon | "spinner"> = {
  Queued: Clock,
  Processing: "spinner",
  Completed: CircleCheck,
  Failed: CircleX,
  Cancelled: Ban,
};

export default function DeliveryPanel({ jobId }: { jobId: string }) {
  const { data: deliveries, error, refetch, isFetching } = useDeliveries(jobId);
  if (!deliveries && error) {
    return (
      <section aria-label="Deliveries" className={PANEL}>
        <div className="flex items-center gap-3">
          <p className="flex-1 text-12 text-ink-2">Couldn't load the deliveries of this job.</p>
          <Button size="sm" icon={RotateCcw} isBusy={isFetching} onClick={() => void refetch()}>
            Try again
          </Button>
        </div>
      </section>
    );
  }
  if (!deliveries || deliveries.length === 0) return null;
  return (
    <section aria-label="Deliveries" className={PANEL}>
      <h2 className="text-14 font-semibold text-ink">Deliveries</h2>
      <ul className="mt-2 grid">
        {deliveries.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} />
        ))}
      </ul>
    </section>
  );
}

const PANEL = "border-t border-line px-6 py-4 max-desk:px-4";

function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const { id, status, destination_name: name, folder } = delivery;
  const { change } = useChangeDeliveries(delivery.job_id);
  const { isBusy, run } = useExclusiveAction();
  const [isOpen, setIsOpen] = useState(false);
  const filesId = useId();
  const reasons = listReasons(delivery);
  const mayRetry = (status === "Failed" || status === "Cancelled") && delivery.destination_id !== null;
  return (
    <li className="grid gap-1 border-t border-line py-2 first:border-t-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-40">
          <span className="font-medium wrap-anywhere text-ink">{name}</span>
          {folder !== null && folder !== "" && (
            <span className="raw ml-2 wrap-anywhere text-12 text-ink-3">{folder}</span>
          )}
        </div>
        <StatusBadge tone={DELIVERY_TONES[status]} icon={ICONS[status]} label={describeProgress(delivery)} isInline />
        <DetailsButton isOpen={isOpen} panelId={filesId} subject={name} label="Files" onToggle={setIsOpen} />
        {isOpenDelivery(status) && (
          <Button
            size="sm"
            isBusy={isBusy}
            aria-label={`Cancel the delivery to ${name}`}
            onClick={onSingleClick(() => void run(async () => void (await change(id, "cancel"))))}
          >
            Cancel
          </Button>
        )}
        {mayRetry && (
          <Button
            size="sm"
            icon={RotateCcw}
            isBusy={isBusy}
            aria-label={`Retry the delivery to ${name}`}
            onClick={onSingleClick(() => void run(async () => void (await change(id, "retry"))))}
          >
            Retry
          </Button>
        )}
      </div>
      {reasons.map((reason) => (
        <p key={reason} className="flex items-start gap-1.5 text-12 wrap-anywhere text-ink-2">
          <Icon
            icon={status === "Failed" ? CircleAlert : Clock}
            size={14}
            className={`mt-px shrink-0 ${status === "Failed" ? "text-failed" : "text-queued"}`}
          />
          {reason}
        </p>
      ))}
      <div id={filesId} hidden={!isOpen}>
        {isOpen && <DeliveryFiles delivery={delivery} label={`Files delivered to ${name}`} />}
      </div>
    </li>
  );
}

const STATES: Record<DeliveryFileState, { tone: StatusTone; icon: LucideIcon }> = {
  Waiting: { tone: "queued", icon: Clock },
  Delivered: { tone: "completed", icon: CircleCheck },
  Failed: { tone: "failed", icon: CircleX },
};

function DeliveryFiles({ delivery, label }: { delivery: Delivery; label: string }) {
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
