import { Minus, Plus } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { CONCURRENCY_RANGE, type FleetWorker } from "#contract/settings/system.ts";
import { useSteerSystem } from "../../../jobs/order/use-steer-system.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";

/** Combines clicks into one request. */
const DEBOUNCE_MS = 400;

/** Takes effect without a restart. */
export function ConcurrencyStepper({ worker }: { worker: FleetWorker }) {
  const { mutate } = useSteerSystem();
  /** Until the server responds. */
  const [requested, setRequested] = useState<number | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const shown = requested ?? worker.wantedConcurrency ?? worker.concurrency;

  function request(concurrency: number) {
    setRequested(concurrency);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      mutate({ action: "set-concurrency", workerId: worker.id, concurrency }, { onSettled: () => setRequested(null) });
    }, DEBOUNCE_MS);
  }
  return (
    <fieldset aria-label={`Concurrent videos on ${worker.name}`} className="flex items-center">
      <IconButton
        icon={Minus}
        label="Decrease concurrent videos"
        disabled={shown <= CONCURRENCY_RANGE.least}
        onClick={() => request(shown - 1)}
      />
      <output className="tnum min-w-6 text-center font-medium text-ink">{shown}</output>
      <IconButton
        icon={Plus}
        label="Increase concurrent videos"
        disabled={shown >= CONCURRENCY_RANGE.most}
        onClick={() => request(shown + 1)}
      />
      <span className="ml-1 text-12 text-ink-3">{shown === 1 ? "video" : "videos"} at a time</span>
    </fieldset>
  );
}
