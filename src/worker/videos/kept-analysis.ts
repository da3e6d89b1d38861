import { readFile, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { sha256Of } from "#ground/checksum.ts";
import type { Window } from "#contract/jobs/outputs/assignment.ts";
import type { RenderRequest, TimelinePart } from "#media/plan/render-plan.ts";
import type { WorkerContext } from "../worker-context.ts";

/**
 * Keeps what was found in a source with the encoded streams, so that neither a retry nor another job analyzes it again.
 * `kind` and `key` identify it; a result of null is not kept.
 */
export async function keepAnalysis(
  { streams }: Pick<WorkerContext, "streams">,
  { kind, key, seconds, folder }: { kind: string; key: unknown; seconds: number; folder: string },
  analyze: () => Promise<Uint8Array | null>,
): Promise<Uint8Array | null> {
  const id = sha256Of(JSON.stringify([kind, key]));
  const known = await streams.take(id, folder, kind);
  if (known) return await readFile(known.path);
  const found = await analyze();
  if (!found) return null;
  // A name of its own: the cache holds a hard link to the file.
  const kept = path.join(folder, `${kind}-${id}`);
  await writeFile(kept, found);
  await streams.keep(id, { path: kept, thumbnailPath: null, seconds });
  await rm(kept, { force: true });
  return found;
}

/** Returns the range of each source that outputs use in such parts. */
export function windowsIn(
  { sources, outputs }: Pick<RenderRequest, "sources" | "outputs">,
  isMeant: (part: TimelinePart) => boolean,
): Map<number, Window> {
  const windows = new Map<number, Window>();
  for (const { source, window } of outputs.flatMap(({ parts }) => parts).filter(isMeant)) {
    const used = window ?? { startSeconds: 0, endSeconds: sources[source]!.probe.durationSeconds };
    const { startSeconds, endSeconds } = windows.get(source) ?? used;
    windows.set(source, {
      startSeconds: Math.min(startSeconds, used.startSeconds),
      endSeconds: Math.max(endSeconds, used.endSeconds),
    });
  }
  return windows;
}
