import { randomUUID } from "node:crypto";
import path from "node:path";
import { openSource } from "./plan/source-arguments.ts";
import { type Probe, probe, type Use } from "./probe.ts";
import { runFfmpeg } from "./run-ffmpeg.ts";
import type { MediaTools } from "./tools.ts";

/**
 * Probes a file for rendering. Transport streams that were joined without adjusting their timestamps cannot be seeked: they are
 * copied to `folder` with one clock, and the copy is described. Throws what `probe` and `runFfmpeg` throw.
 */
export async function probeStraight(
  tools: MediaTools,
  file: string,
  { folder, ...options }: { folder: string; signal?: AbortSignal; use?: Use },
): Promise<{ path: string; probe: Probe }> {
  const found = await probe(tools, file, options);
  if (!found.hasSeveralClocks) return { path: file, probe: found };
  const straight = path.join(folder, `straight-${randomUUID()}.ts`);
  const streams = [found.video, found.audio].flatMap((stream) => (stream ? ["-map", `0:${stream.index}`] : []));
  const args = [...openSource(file), ...streams, "-c", "copy", "-f", "mpegts", `file:${straight}`];
  const { signal } = options;
  await runFfmpeg(tools, { step: "straighten clock", args, signal, mediaSeconds: found.durationSeconds });
  return { path: straight, probe: await probe(tools, straight, options) };
}
