import { Pause, Play } from "lucide-react";
import type { QueueState } from "#contract/settings/system.ts";
import { describeClaiming } from "../../../jobs/order/describe-claiming.ts";
import { useSteerSystem } from "../../../jobs/order/use-steer-system.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { onSingleClick } from "../../../ui/buttons/on-single-click.ts";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { AccountRow } from "../account/account-row.tsx";
import { describeQueue } from "./describe-worker.ts";

export function QueueRow({ queue }: { queue: QueueState }) {
  const { mutate, isPending } = useSteerSystem();
  const pause = queue.isPaused ? describeClaiming({ ...queue, workers: 0, takingWorkers: 0 }) : null;
  return (
    <AccountRow
      title="Queue"
      text={<span className="tnum">{describeQueue(queue)}</span>}
      action={
        queue.isPaused ? (
          <Button icon={Play} isBusy={isPending} onClick={onSingleClick(() => mutate({ action: "resume-queue" }))}>
            Resume queue
          </Button>
        ) : (
          <Button icon={Pause} isBusy={isPending} onClick={onSingleClick(() => mutate({ action: "pause-queue" }))}>
            Pause queue
          </Button>
        )
      }
    >
      {pause && <WarningNote text={`${pause.title} ${pause.text}`} />}
    </AccountRow>
  );
}
