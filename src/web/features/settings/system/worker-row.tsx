import { Link } from "@tanstack/react-router";
import { LogOut, Minus, Pause, Play, Plus, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { CONCURRENCY_RANGE, type FleetWorker, type WorkerTask } from "#contract/settings/system.ts";
import { paths } from "../../../app/routing/paths.ts";
import { useSteerSystem } from "../../../jobs/order/use-claiming.ts";
import { MetaLine } from "../../../jobs/row/job-row.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";
import { StatusBadge } from "../../../ui/states/status-badge.tsx";
import { Strip } from "../../../ui/states/strip.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import {
  describeAge,
  describeEncoder,
  describeMedia,
  describeSpeed,
  lookOfWorker,
  workerWarning,
} from "./describe-worker.ts";

export function WorkerRow({
  worker,
  serverVersion,
  hasDrainSlot,
}: {
  worker: FleetWorker;
  serverVersion: string;
  /** True if any worker can be drained; aligns all workers' controls. */
  hasDrainSlot: boolean;
}) {
  const warning = workerWarning(worker, serverVersion);
  const speed = describeSpeed(worker.speed);
  const age = describeAge(worker.secondsSinceBeat);
  const facts = [
    speed && (
      <span key="speed" {...tooltip("Seconds of video rendered per second over the last few minutes")}>
        Speed {speed}
      </span>
    ),
    worker.labels.length > 0 && `Labels ${worker.labels.join(", ")}`,
    worker.token !== null && (
      <span key="token" {...tooltip("This worker has no access to the database or the storage")}>
        Token {worker.token}
      </span>
    ),
    `Last heartbeat ${age}`,
    `Version ${worker.version}`,
    worker.media && (
      <span key="media" {...tooltip(worker.media.ffmpeg)}>
        {describeMedia(worker.media)}
      </span>
    ),
    worker.media && describeEncoder(worker.media),
  ];
  return (
    <li className="grid gap-2 border-t border-line py-3 first:border-t-0 first:pt-0">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <div className="min-w-0 flex-1 basis-52">
          <div className="flex min-h-7 flex-wrap items-center gap-x-2.5">
            <h4 className="min-w-0 font-medium wrap-anywhere text-ink">{worker.name}</h4>
            <StatusBadge {...lookOfWorker(worker)} isInline />
          </div>
          <MetaLine parts={facts.filter((fact) => fact !== null && fact !== false)} />
        </div>
        <WorkerControls worker={worker} hasDrainSlot={hasDrainSlot} />
      </div>
      {worker.tasks.length > 0 && (
        <ul aria-label={`Videos in progress on ${worker.name}`} className="grid gap-1.5">
          {worker.tasks.map((task) => (
            <TaskLine key={task.videoId} task={task} />
          ))}
        </ul>
      )}
      {worker.captionVideos > 0 && (
        <p className="text-12">Writing captions for {pluralize(worker.captionVideos, "video")}.</p>
      )}
      {warning && <WarningNote text={warning} />}
    </li>
  );
}

function WorkerControls({ worker, hasDrainSlot }: { worker: FleetWorker; hasDrainSlot: boolean }) {
  // A busy state would drop focus, and the response takes only a moment.
  const { mutate } = useSteerSystem();
  const [isAsking, setIsAsking] = useState(false);
  const workerId = worker.id;
  const isStopping = worker.isPaused || worker.isDraining;
  if (worker.isLost) {
    return (
      <IconButton
        icon={X}
        label={`Remove ${worker.name}`}
        onClick={() => mutate({ action: "forget-worker", workerId })}
      />
    );
  }
  return (
    <div className="flex items-center gap-1 max-desk:-ml-2">
      <ConcurrencyStepper worker={worker} />
      <span aria-hidden className="mx-1 h-5 border-l border-line" />
      <IconButton
        icon={isStopping ? Play : Pause}
        label={`${isStopping ? "Resume" : "Pause"} ${worker.name}`}
        onClick={() => mutate({ action: isStopping ? "resume-worker" : "pause-worker", workerId })}
      />
      {worker.canDrain && (
        <IconButton
          icon={LogOut}
          label={`Drain ${worker.name}`}
          disabled={worker.isDraining}
          onClick={() => setIsAsking(true)}
        />
      )}
      {hasDrainSlot && !worker.canDrain && <span className="size-7 max-desk:hidden" />}
      <ConfirmDialog
        isOpen={isAsking}
        title={`Drain ${worker.name}?`}
        text="The worker stops taking new videos, finishes its current ones, then exits. Start it again to bring it back."
        confirmLabel="Drain"
        cancelLabel="Keep running"
        onConfirm={() => {
          setIsAsking(false);
          mutate({ action: "drain-worker", workerId });
        }}
        onClose={() => setIsAsking(false)}
      />
    </div>
  );
}

function TaskLine({ task }: { task: WorkerTask }) {
  const percent = Math.round(task.progress);
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto_128px] items-center gap-x-3 text-12 max-desk:grid-cols-[minmax(0,1fr)_auto]">
      <span className="flex min-w-0 gap-1.5">
        <Link
          to={paths.job}
          params={{ jobId: task.jobId }}
          className="max-w-[60%] shrink-0 truncate text-ink underline decoration-line-strong underline-offset-2 hover:decoration-ink"
        >
          {task.jobName}
        </Link>
        <span className="truncate text-ink-3">{task.videoName ?? `Video ${task.position + 1}`}</span>
      </span>
      <span className="text-ink-3">{task.stage}</span>
      <div className="max-desk:col-span-2">
        <Strip
          label={`Progress of ${task.videoName ?? task.jobName}`}
          fraction={percent / 100}
          figure={`${percent}%`}
        />
      </div>
    </li>
  );
}

/** Combines clicks into one request. */
const DEBOUNCE_MS = 400;

/** Takes effect without a restart. */
function ConcurrencyStepper({ worker }: { worker: FleetWorker }) {
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
