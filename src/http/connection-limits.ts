import { existsSync, readFileSync } from "node:fs";

export type ConnectionLimits = {
  /** How many connections one client may hold. */
  mostPerClient: number;
  /** How many connections a port holds. */
  mostOpen: number;
};

const MOST_PER_CLIENT = 1_000;
const MOST_OPEN = 20_000;
/** Of the descriptors of the process, each of its ports may use one part: two ports leave the third to files and ffmpeg. */
const PARTS = 3;

/** Where Linux says how many descriptors this process may have. */
const LIMITS_FILE = "/proc/self/limits";
/** What macOS allows a process at most. */
const DESCRIPTORS_ELSEWHERE = 10_240;

/** Returns the limits of a port for a process that may have so many descriptors; one client never fills a port. */
export function connectionLimits(descriptors = readDescriptorLimit()): ConnectionLimits {
  const mostOpen = Math.min(MOST_OPEN, Math.floor(descriptors / PARTS));
  return { mostOpen, mostPerClient: Math.min(MOST_PER_CLIENT, Math.floor(mostOpen / 2)) };
}

function readDescriptorLimit(): number {
  const limits = existsSync(LIMITS_FILE) ? readFileSync(LIMITS_FILE, "utf8") : "";
  const soft = /^Max open files\s+(\d+)/m.exec(limits)?.[1];
  return soft === undefined ? DESCRIPTORS_ELSEWHERE : Number(soft);
}
