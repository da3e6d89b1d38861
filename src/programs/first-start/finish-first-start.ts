import { mkdir, rm } from "node:fs/promises";
import path from "node:path";
import { withLock } from "#database/embedded/with-lock.ts";
import { ensureFirstAccount, type FirstAccount } from "#operations/accounts/create-account.ts";
import { addSamples } from "#operations/library/add-samples.ts";
import { drawMissingThumbnails, type DrawThumbnail } from "#operations/library/draw-thumbnail.ts";
import type { Foundation } from "../open-foundation.ts";

export type FirstStart = {
  firstAccount: FirstAccount | null;
} & AsyncDisposable;

/**
 * Creates the first account and the samples once across all servers; samples are added in the background. Must run
 * last: a later failure would lose the password, shown only once.
 */
export async function finishFirstStart(foundation: Foundation, drawThumbnail: DrawThumbnail): Promise<FirstStart> {
  const { config, context } = foundation;
  // Without passwords, the first sign-in at the provider creates the first account.
  const firstAccount =
    config.PASSWORD_SIGN_IN === "off"
      ? null
      : await ensureFirstAccount(context, { email: config.ADMIN_EMAIL, password: config.ADMIN_PASSWORD });
  const stopping = new AbortController();
  const filling = fillLibrary(foundation, drawThumbnail, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted)
      foundation.log.error({ err: error }, "could not add all sample clips and library thumbnails");
  });
  return {
    firstAccount,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await filling;
    },
  };
}

async function fillLibrary(
  { database, context, dataDir }: Foundation,
  drawThumbnail: DrawThumbnail,
  signal: AbortSignal,
): Promise<void> {
  // A worker that starts next to this server empties its scratch folder.
  const folder = path.join(dataDir, "samples");
  await rm(folder, { recursive: true, force: true });
  try {
    await withLock(database, "addingSamples", async () => {
      signal.throwIfAborted();
      await mkdir(folder, { recursive: true });
      await addSamples(context, folder, (file) => drawThumbnail(file, signal));
      await drawMissingThumbnails(context, drawThumbnail, { folder, signal });
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
