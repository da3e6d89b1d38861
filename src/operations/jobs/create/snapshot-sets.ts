import type { Transaction } from "kysely";
import { ClipmillError } from "#contract/errors.ts";
import type { JobRow, JobSettings, RowSettings } from "#contract/job-settings/job-settings.ts";
import type { JobProblem } from "#contract/jobs/job-rules.ts";
import { linksIn } from "#contract/sources/links-in-text.ts";
import type { Tables } from "#database/tables.ts";

/**
 * Copies sets into the job, so that deleting one later has no effect. Typed captions and links take precedence. Throws
 * ClipmillError "invalid" if a set does not exist.
 */
export async function snapshotSets(trx: Transaction<Tables>, input: JobSettings): Promise<JobSettings> {
  const readCaptions = once((id) => readCaptionSet(trx, id));
  const readTracks = once((id) => readAudioSet(trx, id));
  const contents = async (settings: RowSettings, uses: Uses): Promise<RowSettings> => {
    const { caption_set_id: captionSet, audio_set_id: audioSet } = settings;
    return {
      ...(uses.captions && captionSet && !settings.custom_captions?.length
        ? { custom_captions: await readCaptions(captionSet) }
        : {}),
      ...(uses.tracks && audioSet && !settings.custom_audio_links?.length
        ? { custom_audio_links: await readTracks(audioSet) }
        : {}),
    };
  };
  const rows: JobRow[] = [];
  for (const { settings, ...row } of input.rows) {
    rows.push(settings ? { ...row, settings: { ...settings, ...(await contents(settings, usesOf(settings))) } } : row);
  }
  return { ...input, ...(await contents(input, usesOfAny([input, ...rows.map((row) => row.settings ?? {})]))), rows };
}

export function errorOf({ title, description }: JobProblem): ClipmillError {
  return new ClipmillError("invalid", description, { title });
}

type Uses = { captions: boolean; tracks: boolean };

function usesOf({ captions_enabled: captions = false, audio_enabled: tracks = false }: RowSettings): Uses {
  return { captions, tracks };
}

/** A row can enable what the job disables. */
function usesOfAny(all: readonly RowSettings[]): Uses {
  const uses = all.map(usesOf);
  return { captions: uses.some(({ captions }) => captions), tracks: uses.some(({ tracks }) => tracks) };
}

function once(read: (id: string) => Promise<string[]>): (id: string) => Promise<string[]> {
  const known = new Map<string, Promise<string[]>>();
  return (id) => {
    const items = known.get(id) ?? read(id);
    known.set(id, items);
    return items;
  };
}

async function readCaptionSet(trx: Transaction<Tables>, id: string): Promise<string[]> {
  const set = await trx.selectFrom("caption_sets").select("captions").where("id", "=", id).executeTakeFirst();
  if (set) return set.captions;
  throw errorOf({
    title: "Caption Set Not Found",
    description: "The selected caption set no longer exists. Please refresh and select another.",
  });
}

async function readAudioSet(trx: Transaction<Tables>, id: string): Promise<string[]> {
  const set = await trx.selectFrom("audio_sets").select("audio_links").where("id", "=", id).executeTakeFirst();
  // Older sets, and those of other programs, may have several links in an item.
  if (set) return set.audio_links.flatMap(linksIn);
  throw errorOf({
    title: "Audio Set Not Found",
    description: "The selected audio set no longer exists. Please refresh and select another.",
  });
}
