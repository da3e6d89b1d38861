import { ClipmillError, detailsOf } from "#contract/errors.ts";
import type { Assignment } from "#contract/jobs/outputs/assignment.ts";
import { captionsOf, choiceOf, languageOfFile } from "#contract/jobs/video-settings.ts";
import { isOnlySamples } from "#operations/jobs/proof/wait-for-approval.ts";
import { retryUntilWritten } from "#operations/attempts/retry-until-written.ts";
import type { Clip } from "#operations/jobs/videos/clips-of-video.ts";
import type { Translate } from "./plan-video.ts";
import type { Attempt } from "./attempt.ts";

const LANGUAGES_AT_ONCE = 4;

/**
 * Returns the captions of these files in the job's languages. Other captions of the job are translated with them, so that
 * its videos need few requests. Throws ClipmillError: "bad_key" if the model cannot be used, others if it fails.
 */
export async function translateCaptions(
  attempt: Attempt,
  clips: readonly Pick<Clip, "captionOf">[],
  assignments: readonly Assignment[],
): Promise<Translate> {
  const known = new Map<string, ReadonlyMap<string, string>>();
  const wanted = captionsByLanguage(attempt, clips, assignments);
  const ahead = wanted.size === 0 ? [] : await captionsAhead(attempt);
  const entries = [...wanted];
  for (let start = 0; start < entries.length; start += LANGUAGES_AT_ONCE) {
    const some = entries.slice(start, start + LANGUAGES_AT_ONCE);
    const made = await Promise.allSettled(
      some.map(async ([language, texts]) => {
        known.set(language, await translate(attempt, { texts: [...texts], ahead, language }));
      }),
    );
    const failed = made.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
  }
  return (caption, language) => (language === null ? caption : known.get(language)!.get(caption)!);
}

function captionsByLanguage(
  { job }: Pick<Attempt, "job">,
  clips: readonly Pick<Clip, "captionOf">[],
  assignments: readonly Assignment[],
): Map<string, Set<string>> {
  const captions = captionsOf(job);
  const found = new Map<string, Set<string>>();
  for (const { variant, captionIndex } of assignments) {
    const language = languageOfFile(job, variant);
    if (language === null) continue;
    const texts = found.getOrInsertComputed(language, () => new Set());
    const own = clips.map(({ captionOf }) => captionOf(choiceOf(job, variant)));
    for (const text of [...own, captionIndex === null ? null : captions[captionIndex]!]) if (text) texts.add(text);
  }
  return found;
}

/** Captions that the job's next videos show. None for samples: captions may change before the rest is made. */
async function captionsAhead({ job, turns, video, records, signal }: Attempt): Promise<string[]> {
  const { position, row_settings: row } = video;
  if (isOnlySamples(job)) return [];
  if (row?.custom_captions) {
    return await retryUntilWritten(signal, () => records.captionsOfNextRows({ position, row }));
  }
  const captions = captionsOf(job);
  const next = turns.caption + job.variants_per_video;
  const last = Math.min(job.total_videos * job.variants_per_video, turns.caption + captions.length);
  return Array.from({ length: Math.max(0, last - next) }, (_, i) => captions[(next + i) % captions.length]!);
}

async function translate(
  { signal, records }: Attempt,
  wanted: { texts: string[]; ahead: string[]; language: string },
): Promise<Map<string, string>> {
  try {
    return await records.translate(wanted, signal);
  } catch (error) {
    // A request's error: here, the key, the account or the model cannot be used.
    if (!(error instanceof ClipmillError) || error.code !== "invalid") throw error;
    throw new ClipmillError("bad_key", `The captions could not be translated. ${error.message}`, detailsOf(error));
  }
}
