import { describe, expect, it } from "vitest";
import type { FleetWorker, WorkerMedia } from "#contract/settings/system.ts";
import {
  describeAge,
  describeEncoder,
  describeMedia,
  describeQueue,
  describeSpeed,
  lookOfWorker,
  workerWarning,
} from "./describe-worker.ts";

const IDLE: FleetWorker = {
  id: "1",
  name: "studio",
  version: "1.0.0",
  media: { ffmpeg: "8.1.2", origin: "path", missingLimits: [] },
  pid: 7,
  concurrency: 2,
  wantedConcurrency: null,
  isPaused: false,
  isDraining: false,
  canDrain: true,
  labels: [],
  token: null,
  isLost: false,
  startedAt: "2026-11-20T21:12:00Z",
  secondsSinceBeat: 1,
  tasks: [],
  captionVideos: 0,
  speed: null,
  pauseReasons: [],
  disk: "ok",
};
const VULNERABLE: WorkerMedia = { ffmpeg: "n7.0-7-gd38bf5e08e-20240407", origin: "bundled", missingLimits: [] };
const AT_WORK: FleetWorker = {
  ...IDLE,
  tasks: [{ jobId: "j", jobName: "J", videoId: "v", position: 0, videoName: null, stage: "Fetching", progress: 0 }],
};

describe("a worker's label", () => {
  it.each<[string, FleetWorker]>([
    ["Idle", IDLE],
    ["Working", AT_WORK],
    ["Working", { ...IDLE, captionVideos: 1 }],
    ["Working", { ...AT_WORK, pauseReasons: ["queue-paused"] }],
    ["Queue paused", { ...IDLE, pauseReasons: ["queue-paused"] }],
    ["Pausing", { ...AT_WORK, isPaused: true, pauseReasons: ["worker-paused"] }],
    ["Paused", { ...IDLE, isPaused: true, pauseReasons: ["worker-paused", "queue-paused"] }],
    ["Disk full", { ...AT_WORK, pauseReasons: ["disk-full"] }],
    ["Draining", { ...AT_WORK, isPaused: true, isDraining: true }],
    ["Lost", { ...IDLE, isLost: true, isPaused: true }],
  ])("is %s", (label, worker) => {
    expect(lookOfWorker(worker).label).toBe(label);
  });
});

it("warns of problems that need attention, the worst first", () => {
  expect(workerWarning(IDLE, "1.0.0")).toBeNull();
  expect(workerWarning({ ...IDLE, disk: "low" }, "1.0.0")).toBe("Less than 10% of the disk is free.");
  expect(workerWarning({ ...IDLE, disk: "low" }, "1.1.0")).toBe(
    "This worker runs version 1.0.0, but the server runs 1.1.0. Update the older one.",
  );
  expect(workerWarning({ ...IDLE, disk: "full" }, "1.1.0")).toMatch(/^Less than 3%/);
  expect(workerWarning({ ...IDLE, isLost: true, disk: "full" }, "1.1.0")).toMatch(/^This worker crashed/);
});

it("warns of limits that the worker's machine cannot apply to ffmpeg", () => {
  const media = { ...IDLE.media!, missingLimits: ["network" as const] };
  expect(workerWarning({ ...IDLE, media }, "1.0.0")).toBe(
    "This machine cannot keep ffmpeg off the network (unshare does not work). Malicious files can do more harm here.",
  );
  expect(workerWarning({ ...IDLE, media: null }, "1.0.0")).toBeNull();
});

it("warns of known vulnerabilities of the worker's ffmpeg, after everything else", () => {
  expect(workerWarning({ ...IDLE, media: VULNERABLE }, "1.0.0")).toBe(
    "ffmpeg 7.0 has known vulnerabilities; Clipmill isolates it. Install ffmpeg 7.1.5, 8.1.2 or newer to replace it.",
  );
  expect(workerWarning({ ...IDLE, media: VULNERABLE, disk: "low" }, "1.0.0")).toMatch(/^Less than 10%/);
  const media = { ...VULNERABLE, missingLimits: ["memory" as const] };
  expect(workerWarning({ ...IDLE, media }, "1.0.0")).toMatch(/^This machine cannot .* ffmpeg 7\.0 has known vuln/);
});

it("states a hardware encoder, and why it is not used", () => {
  const NVENC = { inUse: "h264_nvenc", wanted: "h264_nvenc", refusal: null } as const;
  expect(describeEncoder({ ...IDLE.media!, encoder: NVENC })).toBe("Encodes with NVENC");
  const encoder = { ...NVENC, inUse: "software" as const, refusal: "Cannot load libcuda.so.1" };
  const media = { ...IDLE.media!, encoder };
  expect(describeEncoder(media)).toBe("Encodes in software");
  expect(workerWarning({ ...IDLE, media }, IDLE.version)).toBe(
    "NVENC does not work on this machine, so the worker encodes in software until it restarts. Reason: Cannot load libcuda.so.1",
  );
  const software = { inUse: "software", wanted: "software", refusal: null } as const;
  expect([IDLE.media!, { ...IDLE.media!, encoder: software }].map(describeEncoder)).toEqual([null, null]);
});

it("describes a worker's ffmpeg version and its origin", () => {
  expect(describeMedia(VULNERABLE)).toBe("ffmpeg 7.0 (bundled)");
  expect(describeMedia({ ffmpeg: "7.1.4-0+deb13u1", origin: "path", missingLimits: [] })).toBe(
    "ffmpeg 7.1.4 (on PATH)",
  );
  expect(describeMedia({ ffmpeg: "N-118193-g5f38c82", origin: "configured", missingLimits: [] })).toBe(
    "ffmpeg N-118193-g5f38c82 (from FFMPEG_PATH)",
  );
});

it("rounds speeds and ages", () => {
  expect([null, 0, 3.25, 9.94, 12.4].map(describeSpeed)).toEqual([null, "0.0x", "3.3x", "9.9x", "12x"]);
  expect([-0.2, 2.9, 59, 60, 3_599, 7_300].map(describeAge)).toEqual([
    "0 s ago",
    "2 s ago",
    "59 s ago",
    "1 min ago",
    "59 min ago",
    "2 h ago",
  ]);
});

it("describes the queue", () => {
  const empty = { waiting: 0, held: 0, postponed: 0, active: 0, oldestWaitingSeconds: 0 };
  expect(describeQueue(empty)).toBe("The queue is empty.");
  expect(describeQueue({ ...empty, waiting: 1, oldestWaitingSeconds: 4 })).toBe("1 video waiting, the longest for 4 s");
  expect(describeQueue({ waiting: 1200, held: 3, postponed: 1, active: 2, oldestWaitingSeconds: 185 })).toBe(
    "1,200 videos waiting, the longest for 3 min · 3 videos on hold · 1 video retrying later · 2 videos in progress",
  );
});
