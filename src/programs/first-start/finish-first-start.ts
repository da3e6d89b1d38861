import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { withLock } from "#database/embedded/with-lock.ts";
import { ensureFirstAccount, type FirstAccount } from "#operations/accounts/ensure-first-account.ts";
import { addSamples } from "#operations/library/add-samples.ts";
import { drawMissingThumbnails, type DrawThumbnail } from "#operations/library/draw-thumbnail.ts";
import type { Foundation } from "../open-foundation.ts";
import type { Machine } from "../open-machine.ts";

export type FirstStart = {
  firstAccount: FirstAccount | null;
} & AsyncDisposable;

/**
 * Creates the first account and the samples once across all servers; samples are drawn in the background. Must run
 * last: a later failure would lose the password, shown only once.
 */
export async function finishFirstStart(
  foundation: Foundation,
  machine: Machine,
  drawThumbnail: DrawThumbnail,
): Promise<FirstStart> {
  const { config, context } = foundation;
  const firstAccount = await ensureFirstAccount(context, {
    email: config.ADMIN_EMAIL,
    password: config.ADMIN_PASSWORD,
  });
  const stopping = new AbortController();
  const drawing = fillLibrary(foundation, { ...machine, drawThumbnail }, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted)
      foundation.log.error({ err: error }, "could not draw all sample clips and library thumbnails");
  });
  return {
    firstAccount,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await drawing;
    },
  };
}

async function fillLibrary(
  { database, context, dataDir }: Foundation,
  { tools, drawThumbnail }: Pick<Machine, "tools"> & { drawThumbnail: DrawThumbnail },
  signal: AbortSignal,
): Promise<void> {
  // A worker that starts next to this server empties its scratch folder.
  const folder = path.join(dataDir, "samples");
  await rm(folder, { recursive: true, force: true });
  try {
    await withLock(database, "drawingSamples", async () => {
      signal.throwIfAborted();
      await mkdir(folder, { recursive: true });
      await addSamples(context, folder, {
        async draw(into) {
          const { drawSampleClips } = await import("#media/samples/sample-clips.ts");
          return await drawSampleClips(tools, into, { signal });
        },
        drawThumbnail: (file) => drawThumbnail(file, signal),
      });
      await drawMissingThumbnails(context, drawThumbnail, { folder, signal });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
