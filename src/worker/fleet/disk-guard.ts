import type { Logger } from "pino";
import type { DiskState } from "#contract/settings/system.ts";
import { type DiskSpace, readDiskSpace } from "#ground/disk-space.ts";
import { repeat } from "#ground/repeat.ts";

const LOW_SHARE = 0.1;
const FULL_SHARE = 0.03;
/** Above FULL_SHARE to avoid flapping. */
const ROOM_AGAIN_SHARE = 0.035;
const INTERVAL_MS = 5_000;

export type DiskGuard = {
  state(): DiskState;
  /** At the last check; null if the disk could not be read yet. */
  space(): DiskSpace | null;
  /** Checks now, in addition to every 5 s. */
  check(): Promise<void>;
  /** Also calls the listener immediately. */
  onChange(listener: (state: DiskState) => void): void;
  stop(): void;
};

/** Checks the disk of `folder` every 5 s. Keeps the last state if the disk cannot be read. */
export async function startDiskGuard(
  folder: string,
  log: Logger,
  readSpace: (folder: string) => Promise<DiskSpace> = readDiskSpace,
): Promise<DiskGuard> {
  let state: DiskState = "ok";
  let last: DiskSpace | null = null;
  const listeners: ((state: DiskState) => void)[] = [];
  const check = async (): Promise<void> => {
    const space = await readSpace(folder).catch((error: unknown) => {
      log.warn({ err: error, folder }, "could not read the free disk space");
    });
    if (!space) return;
    last = space;
    const next = judge(space.freeBytes / space.totalBytes, state);
    if (next === state) return;
    state = next;
    logState(log, state, { folder, ...space });
    for (const listener of listeners) listener(state);
  };
  await check();
  const checking = repeat(check, {
    everyMs: INTERVAL_MS,
    firstMs: INTERVAL_MS,
    onError: (error) => log.error({ err: error }, "could not follow the state of the disk"),
  });
  return {
    state: () => state,
    space: () => last,
    check,
    onChange(listener) {
      listeners.push(listener);
      listener(state);
    },
    stop: () => void checking.stop(),
  };
}

function judge(freeShare: number, before: DiskState): DiskState {
  if (freeShare < (before === "full" ? ROOM_AGAIN_SHARE : FULL_SHARE)) return "full";
  return freeShare < LOW_SHARE ? "low" : "ok";
}

function logState(log: Logger, state: DiskState, facts: object): void {
  if (state === "full") log.error(facts, "the disk is almost full; no new videos start until space is freed");
  else if (state === "low") log.warn(facts, "less than 10% of the disk is free");
  else log.info(facts, "the disk has enough free space again");
}
