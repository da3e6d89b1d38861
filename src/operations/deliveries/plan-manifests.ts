import { sql } from "kysely";
import { sha256Of } from "#ground/checksum.ts";
import type { Context } from "../context.ts";
import { type MadeFile, makeManifests, readManifestJob } from "../downloads/manifest/open-manifest.ts";
import { selectJobFiles } from "../downloads/job-files.ts";
import type { ClaimedDelivery } from "./claim-delivery.ts";
import { pathIn } from "./plan-files.ts";

export type WaitingManifest = MadeFile & {
  id: string;
  targetPath: string;
  sha256: string;
  /** The manifest of an earlier delivery that this one replaces. */
  replaced: { sha256: string; sizeBytes: number } | null;
};

/**
 * Returns the manifests still needed; none while a file is missing, so that a manifest means that all files are there.
 * Forgets those of earlier attempts that are not needed anymore.
 */
export async function planManifests(
  context: Pick<Context, "db">,
  { delivery, destination }: ClaimedDelivery,
): Promise<WaitingManifest[]> {
  const { db } = context;
  const rows = await db.selectFrom("delivery_files").selectAll().where("delivery_id", "=", delivery.id).execute();
  const outputs = rows.filter((row) => row.output_id !== null);
  const isComplete = outputs.length > 0 && outputs.every((row) => row.state === "Delivered");
  const isWanted = isComplete && destination.settings.with_manifest;
  const job = isWanted ? await readManifestJob(context, delivery.job_id) : null;
  if (!job) {
    await db
      .deleteFrom("delivery_files")
      .where("delivery_id", "=", delivery.id)
      .where("output_id", "is", null)
      .where("state", "<>", "Delivered")
      .execute();
    return [];
  }
  const paths = new Map(outputs.map((row) => [row.output_id, row.target_path!]));
  const start = delivery.folder === "" ? 0 : delivery.folder.length + 1;
  const found = await selectJobFiles(db, delivery.job_id).select("job_outputs.id").execute();
  const files = found.flatMap((file) => {
    const target = paths.get(file.id);
    return target === undefined ? [] : [{ ...file, name: target.slice(start) }];
  });
  const { csv, json } = makeManifests(job, files);
  const manifests: WaitingManifest[] = [];
  for (const file of [csv, json]) {
    const sha256 = sha256Of(file.bytes);
    const known = rows.find((row) => row.output_id === null && row.name === file.name);
    if (known?.state === "Delivered" && known.sha256 === sha256) continue;
    const replaced = known?.state === "Delivered" ? known : ((await findEarlier(context, delivery, file.name)) ?? null);
    const targetPath = replaced?.target_path ?? pathIn(delivery.folder, file.name);
    const row = { delivery_id: delivery.id, output_id: null, name: file.name, target_path: targetPath };
    const waiting = {
      state: "Waiting",
      target_path: targetPath,
      error_message: null,
      updated_at: sql<string>`now()`,
    } as const;
    const { id } = await db
      .insertInto("delivery_files")
      .values(row)
      .onConflict((conflict) =>
        conflict.columns(["delivery_id", "name"]).where("output_id", "is", null).doUpdateSet(waiting),
      )
      .returning("id")
      .executeTakeFirstOrThrow();
    manifests.push({ ...file, id, targetPath, sha256, replaced: replaced && toReplaced(replaced) });
  }
  return manifests;
}

function toReplaced({ sha256, size_bytes: sizeBytes }: { sha256: string | null; size_bytes: number | null }) {
  return sha256 === null || sizeBytes === null ? null : { sha256, sizeBytes };
}

/** From the job's last delivery to the same folder and place, which earlier versions did not record. */
function findEarlier({ db }: Pick<Context, "db">, delivery: ClaimedDelivery["delivery"], name: string) {
  return db
    .selectFrom("delivery_files")
    .innerJoin("deliveries", "deliveries.id", "delivery_files.delivery_id")
    .select(["target_path", "sha256", "size_bytes"])
    .where("job_id", "=", delivery.job_id)
    .where("destination_id", "=", delivery.destination_id)
    .where("folder", "=", delivery.folder)
    .where((eb) => eb.or([eb("place", "is", null), eb("place", "=", delivery.place)]))
    .where("output_id", "is", null)
    .where("name", "=", name)
    .where("state", "=", "Delivered")
    .orderBy("delivery_files.updated_at", "desc")
    .limit(1)
    .executeTakeFirst();
}
