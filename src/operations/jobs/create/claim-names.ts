import { sql, type Transaction } from "kysely";
import type { Tables } from "#database/tables.ts";

type Named = { variant: number; segment: number; name: string; nameIfTaken: string };

/**
 * Returns names unique within the job, ignoring case. Stored outputs keep theirs. Two videos that choose the same name
 * at the same time violate a unique index.
 */
export async function claimNames(
  trx: Transaction<Tables>,
  { jobId, videoId }: { jobId: string; videoId: string },
  outputs: readonly Named[],
): Promise<string[]> {
  const wanted = outputs.flatMap(({ name, nameIfTaken }) => [keyOfName(name), keyOfName(nameIfTaken)]);
  const known = await trx
    .selectFrom("job_outputs")
    .select(["video_id", "variant", "segment", "name", "name_key"])
    .where("job_id", "=", jobId)
    .where((eb) => eb.or([eb("video_id", "=", videoId), eb("name_key", "=", sql<string>`any(${wanted}::text[])`)]))
    .execute();
  const own = new Map(known.filter((row) => row.video_id === videoId).map((row) => [placeOf(row), row.name]));
  const taken = new Set(known.map((row) => row.name_key));
  return outputs.map((output) => {
    const kept = own.get(placeOf(output));
    if (kept !== undefined) return kept;
    const { name, nameIfTaken } = output;
    const free = [name, nameIfTaken].find((one) => !taken.has(keyOfName(one))) ?? `${videoId}-${placeOf(output)}.mp4`;
    taken.add(keyOfName(free));
    return free;
  });
}

export function keyOfName(name: string): string {
  return name.toLowerCase();
}

function placeOf({ variant, segment }: Pick<Named, "variant" | "segment">): string {
  return `v${variant + 1}-s${segment + 1}`;
}
