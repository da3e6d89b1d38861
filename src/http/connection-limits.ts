import { existsSync, readFileSync } from "node:fs";

export type ConnectionLimits = {
  maxPerClient: number;
  maxOpen: number;
};

const MAX_PER_CLIENT = 1_000;
const MAX_OPEN = 20_000;
/** A port gets 1/3 of the process's descriptors; with two ports, a third remains for files and ffmpeg. */
const PARTS = 3;

const LIMITS_FILE = "/proc/self/limits";
/** The per-process maximum on macOS. */
const DESCRIPTORS_ELSEWHERE = 10_240;

/** No client can fill a port. */
export function connectionLimits(descriptors = readDescriptorLimit()): ConnectionLimits {
  const maxOpen = Math.min(MAX_OPEN, Math.floor(descriptors / PARTS));
  return { maxOpen, maxPerClient: Math.min(MAX_PER_CLIENT, Math.floor(maxOpen / 2)) };
}

function readDescriptorLimit(): number {
  const limits = existsSync(LIMITS_FILE) ? readFileSync(LIMITS_FILE, "utf8") : "";
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? DESCRIPTORS_ELSEWHERE : Number(soft);
}
