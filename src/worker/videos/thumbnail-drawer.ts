import { rm } from "node:fs/promises";
import type { Logger } from "pino";
import { createTurns } from "#ground/slots.ts";
import { probe } from "#media/probe/probe.ts";
import { drawSourceThumbnail } from "#media/stills/source-thumbnail.ts";
import { drawImageThumbnail } from "#media/images/draw-image.ts";
import type { MediaTools } from "#media/ffmpeg/tools.ts";
import type { DrawThumbnail } from "#operations/library/draw-thumbnail.ts";
import type { UploadIntake } from "#operations/library/upload-intake.ts";
import { makeScratch } from "../sources/scratch.ts";

const MAX_DRAWING_MS = 20_000;

/** Draws one at a time, to limit the load. No other process may use `root`. */
export async function openThumbnailDrawer(tools: MediaTools, root: string, log: Logger): Promise<DrawThumbnail> {
  await rm(root, { recursive: true, force: true });
  const inTurn = createTurns();
  const draw = async (path: string, stopping: AbortSignal): Promise<Uint8Array | null> => {
    stopping.throwIfAborted();
    await using scratch = await makeScratch(root, "thumbnail");
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(MAX_DRAWING_MS)]);
    try {
      const found = await probe(tools, path, { signal });
      return await drawSourceThumbnail(tools, { path, probe: found }, { folder: scratch.folder, signal });
    } catch (error) {
      stopping.throwIfAborted();
      log.warn({ err: error }, "could not draw the thumbnail of a library file");
      return null;
    }
  };
  return (path, signal) => inTurn(() => draw(path, signal));
}

/** Also one at a time; may share `root`. Rejects on failure. */
export function openImageThumbnailDrawer(tools: MediaTools, root: string): UploadIntake["drawImageThumbnail"] {
  const inTurn = createTurns();
  const draw = async (path: string, signal: AbortSignal): Promise<Uint8Array> => {
    signal.throwIfAborted();
    await using scratch = await makeScratch(root, "image");
    return await drawImageThumbnail(tools, path, { folder: scratch.folder, signal });
  };
  return (path, signal) => inTurn(() => draw(path, signal));
}
