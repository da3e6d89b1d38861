import { CircleAlert, CircleDashed, CirclePause, TriangleAlert } from "lucide-react";
import type { Encoder, EncoderState, FleetWorker, WorkerMedia } from "#contract/settings/system.ts";
import { describeFfmpegRisks, shortVersion } from "#contract/settings/ffmpeg-vulnerabilities.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import type { LucideIcon } from "../../../ui/page/icon.tsx";
import type { StatusTone } from "../../../ui/states/status-badge.tsx";

type WorkerLook = { tone: StatusTone; icon: LucideIcon | "spinner"; label: string };

/** Ranks reasons why a worker cannot work above its activity. */
export function lookOfWorker(worker: FleetWorker): WorkerLook {
  const has = (reason: FleetWorker["pauseReasons"][number]) => worker.pauseReasons.includes(reason);
  const isWorking = worker.tasks.length + worker.captionVideos > 0;
  if (worker.isLost) return { tone: "failed", icon: CircleAlert, label: "Lost" };
  if (worker.isDraining) return { tone: "cancelling", icon: "spinner", label: "Draining" };
  if (has("disk-full")) return { tone: "warning", icon: TriangleAlert, label: "Disk full" };
  if (worker.isPaused && isWorking) return { tone: "cancelling", icon: "spinner", label: "Pausing" };
  if (worker.isPaused) return { tone: "cancelled", icon: CirclePause, label: "Paused" };
  if (isWorking) return { tone: "processing", icon: "spinner", label: "Working" };
  if (has("queue-paused")) return { tone: "cancelled", icon: CirclePause, label: "Queue paused" };
  return { tone: "queued", icon: CircleDashed, label: "Idle" };
}

/** Returns the worst problem, or null. */
export function workerWarning(worker: FleetWorker, serverVersion: string): string | null {
  if (worker.isLost) {
    return "This worker crashed or can't reach the database. Other workers will retry its videos.";
  }
  if (worker.disk === "full")
    return "Less than 3% of the disk is free. The worker resumes automatically when there is enough space.";
  if (worker.version !== serverVersion)
    return `This worker runs version ${worker.version}, but the server runs ${serverVersion}. Update the older one.`;
  if (worker.disk === "low") return "Less than 10% of the disk is free.";
  const risks = worker.media ? describeFfmpegRisks(worker.media) : [];
  if (worker.media?.missingLimits.length) return risks.join(" ");
  if (worker.media?.encoder?.refusal) return describeUnusable(worker.media.encoder);
  return risks[0] ?? null;
}

function describeUnusable({ wanted, refusal }: EncoderState): string {
  return `${NAMES[wanted]} does not work on this machine, so the worker encodes in software until it restarts. Reason: ${refusal}`;
}

/** Returns, for example, "ffmpeg 7.1.4 (on PATH)", without a builder's version suffix. */
export function describeMedia({ ffmpeg, origin }: WorkerMedia): string {
  const place = { configured: "from FFMPEG_PATH", path: "on PATH", bundled: "bundled" }[origin];
  return `ffmpeg ${shortVersion(ffmpeg)} (${place})`;
}

const NAMES: Record<Encoder, string> = {
  software: "software",
  h264_nvenc: "NVENC",
  h264_qsv: "Quick Sync",
  h264_vaapi: "VAAPI",
  h264_videotoolbox: "VideoToolbox",
};

/** Returns, for example, "Encodes with NVENC"; null without a configured hardware encoder. */
export function describeEncoder({ encoder }: WorkerMedia): string | null {
  if (!encoder || encoder.wanted === "software") return null;
  return `Encodes ${encoder.inUse === "software" ? "in" : "with"} ${NAMES[encoder.inUse]}`;
}

/** Returns, for example, "3.2x". `speed`: seconds of video rendered per second. */
export function describeSpeed(speed: number | null): string | null {
  if (speed === null) return null;
  return `${speed >= 10 ? Math.round(speed) : speed.toFixed(1)}x`;
}

/** Returns, for example, "2 s ago". */
export function describeAge(seconds: number): string {
  if (seconds < 60) return `${Math.max(Math.floor(seconds), 0)} s ago`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ago`;
  return `${Math.floor(seconds / 3600)} h ago`;
}

/** Returns, for example, "12 videos waiting, the longest for 3 min · 3 videos on hold · 1 video retrying later". */
export function describeQueue(queue: {
  waiting: number;
  held: number;
  postponed: number;
  active: number;
  oldestWaitingSeconds: number;
}): string {
  const { waiting, held, postponed, active } = queue;
  const age = describeAge(queue.oldestWaitingSeconds).replace(/ ago$/, "");
  const parts = [
    waiting > 0 && `${pluralize(waiting, "video")} waiting, the longest for ${age}`,
    held > 0 && `${pluralize(held, "video")} on hold`,
    postponed > 0 && `${pluralize(postponed, "video")} retrying later`,
    active > 0 && `${pluralize(active, "video")} in progress`,
  ].filter((part) => part !== false);
  return parts.length > 0 ? parts.join(" · ") : "The queue is empty.";
}
