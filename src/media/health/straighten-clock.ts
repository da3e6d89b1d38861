import { randomUUID } from "node:crypto";
import path from "node:path";
import { openSource } from "../plan/arguments/source-arguments.ts";
import type { MediaFile } from "../plan/render-plan.ts";
import { probe, type Use } from "../probe/probe.ts";
import { runFfmpeg } from "../ffmpeg/run-ffmpeg.ts";
import type { MediaTools } from "../ffmpeg/tools.ts";

/**
 * Joined transport and program streams with unadjusted timestamps cannot be seeked: they are copied to `folder` with
 * one clock, and the copy is described. Throws what `probe` and `runFfmpeg` throw.
 */
export async function probeStraight(
  tools: MediaTools,
  file: string,
  { folder, ...options }: { folder: string; signal?: AbortSignal; use?: Use },
): Promise<Pick<MediaFile, "path" | "probe" | "isJoined">> {
  const found = await probe(tools, file, options);
  if (!found.hasSeveralClocks) return { path: file, probe: found };
  // Transport streams keep all times, but cannot hold the pcm_dvd sound of program streams.
  const [container, extension] = found.audio?.codec === "pcm_dvd" ? ["vob", "mpg"] : ["mpegts", "ts"];
  const straight = path.join(folder, `straight-${randomUUID()}.${extension}`);
  const streams = [found.video, found.audio].flatMap((stream) => (stream ? ["-map", `0:${stream.index}`] : []));
  // One timestamp per sound packet: packets that overlap at a reset would otherwise delay those written with them.
  const timing = container === "mpegts" ? ["-pes_payload_size", "0"] : [];
  const args = [...openSource(file), ...streams, "-c", "copy", ...timing, "-f", container, `file:${straight}`];
  const { signal } = options;
  await runFfmpeg(tools, { step: "straighten clock", args, signal, mediaSeconds: found.durationSeconds });
  const { video, audio, ...straightened } = await probe(tools, straight, options);
  return {
    path: straight,
    probe: {
      ...straightened,
      // The copy no longer shows the losses.
      video: video && { ...video, losses: found.video?.losses ?? [] },
      audio: audio && { ...audio, losses: found.audio?.losses ?? [] },
    },
    isJoined: true,
  };
}
