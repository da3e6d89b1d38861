/** What a worker runs, in the one column that the table of workers has for it. Pure. */
import type { FleetWorker, WorkerMedia } from "#contract/system.ts";

/** Returns the version of Clipmill and, behind a space, what the worker makes its files with, as JSON. */
export function writeSoftware({ version, media }: { version: string; media: WorkerMedia }): string {
  return `${version} ${JSON.stringify(media)}`;
}

/** Reads what `writeSoftware` wrote. Workers of older versions wrote their version alone. */
export function readSoftware(text: string): Pick<FleetWorker, "version" | "media"> {
  const [version = "", ...rest] = text.split(" ");
  return { version, media: rest.length > 0 ? (JSON.parse(rest.join(" ")) as WorkerMedia) : null };
}
