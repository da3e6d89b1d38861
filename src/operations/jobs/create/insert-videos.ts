import { setImmediate as nextTurn } from "node:timers/promises";
import type { Transaction } from "kysely";
import type { JobSettings } from "#contract/job-settings/job-settings.ts";
import { settingsOfVideo } from "#contract/jobs/video-settings.ts";
import type { Tables } from "#database/tables.ts";
import { inParts } from "#ground/give-way.ts";
import { chooseSamples } from "../proof/choose-samples.ts";
import { toStoredRows } from "../read/stored-rows.ts";

/** About 20 ms on the embedded database, which blocks the server meanwhile. */
const VIDEOS_PER_STATEMENT = 500;

/** Returns the videos that start now, in order: all, or those with samples. Attempts continue from `attemptsBefore`. */
export async function insertVideos(
  trx: Transaction<Tables>,
  jobId: string,
  settings: JobSettings,
  attemptsBefore = 0,
): Promise<{ id: string; position: number }[]> {
  await nextTurn();
  const samples = chooseSamples(settings, variantsOfVideos(settings), jobId);
  const stored = toStoredRows(settings.input_videos, settings.rows).map((video) =>
    Object.assign(video, {
      job_id: jobId,
      proof_variants: samples.get(video.position) ?? null,
      attempts: attemptsBefore,
      earlier_attempts: attemptsBefore,
    }),
  );
  const videos: { id: string; position: number }[] = [];
  for await (const some of inParts(stored, VIDEOS_PER_STATEMENT)) {
    videos.push(...(await trx.insertInto("job_videos").values(some).returning(["id", "position"]).execute()));
  }
  const inOrder = videos.toSorted((a, b) => a.position - b.position);
  return samples.size === 0 ? inOrder : inOrder.filter(({ position }) => samples.has(position));
}

function variantsOfVideos({ input_videos: links, rows, variants_per_video }: JobSettings): number[] {
  return links.map((_, position) => {
    return settingsOfVideo({ variants_per_video }, rows[position]?.settings ?? null).variants_per_video;
  });
}
