/** Encodes a worker's software versions in the `version` column of the workers table. Pure. */
import type { FleetWorker, WorkerMedia } from "#contract/system.ts";

/** Returns Clipmill's version and, after a space, the worker's media software as JSON. */
export function writeSoftware({ version, media }: { version: string; media: WorkerMedia }): string {
  return `${version} ${JSON.stringify(media)}`;
}

/** Parses what `writeSoftware` wrote. Older workers wrote only their version. */
export function readSoftware(text: string): Pick<FleetWorker, "version" | "media"> {
  const [version = "", ...rest] = text.split(" ");
  return { version, media: rest.length > 0 ? (JSON.parse(rest.join(" ")) as WorkerMedia) : null };
}
