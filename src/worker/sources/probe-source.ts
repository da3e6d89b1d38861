import { runStep } from "#ground/tracing/run-step.ts";
import { probeStraight } from "#media/health/straighten-clock.ts";
import type { MediaFile } from "#media/plan/render-plan.ts";
import { probe, type Probe, type Use } from "#media/probe/probe.ts";
import { requireAudio, requireVideo } from "#media/render/required-streams.ts";
import type { WorkerContext } from "../worker-context.ts";
import type { CachedSource } from "./source-cache.ts";

export type ProbedSource = CachedSource & MediaFile;

type Prober = Pick<WorkerContext, "tools" | "probes">;

/** Throws what `probeStraight` throws, and ClipmillError if the stream for `use` is missing. */
export function probeSource(
  worker: Prober,
  { signal, folder }: { signal: AbortSignal; folder: string },
  use: Use,
  source: CachedSource,
): Promise<ProbedSource> {
  return runStep("probe", async () => {
    const known = worker.probes.find(use, source.revision);
    if (known) return { ...source, probe: known };
    const found = await probeStraight(worker.tools, source.path, { folder, signal, use });
    requireStream(found.probe, use);
    // A straightened copy lies in the attempt's own folder.
    if (found.path === source.path) worker.probes.remember(use, source.revision, found.probe);
    return { ...source, ...found };
  });
}

/** For prefetches. Does not straighten the source: only an attempt can keep the copy. */
export async function probeAhead(
  worker: Prober,
  signal: AbortSignal,
  use: Use,
  { path, revision }: CachedSource,
): Promise<Probe> {
  const known = worker.probes.find(use, revision);
  if (known) return known;
  const found = await probe(worker.tools, path, { signal, use });
  requireStream(found, use);
  if (!found.hasSeveralClocks) worker.probes.remember(use, revision, found);
  return found;
}

function requireStream(found: Probe, use: Use): void {
  if (use === "video") requireVideo(found);
  else requireAudio(found);
}
