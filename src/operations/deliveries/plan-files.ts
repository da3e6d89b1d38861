/** Names are assigned once, so that an attempt after a crash finds the files sent before. */
import path from "node:path";
import { type Kysely, sql } from "kysely";
import { sourceOfParts } from "#contract/jobs/assemblies/slots.ts";
import { nameOutput, type OutputName } from "#contract/jobs/outputs/output-name.ts";
import { settingsOfVideo, subtitleLanguageOf } from "#contract/jobs/video-settings.ts";
import type { Tables } from "#database/tables.ts";
import type { Context } from "../context.ts";
import { withSettings } from "../jobs/read/stored-settings.ts";
import { OUTPUT_SRT } from "../jobs/videos/output-subtitles.ts";
import type { ClaimedDelivery } from "./claim-delivery.ts";

export type WaitingFile = {
  id: string;
  name: string;
  targetPath: string;
  sha256: string | null;
  resume: string | null;
  attempts: number;
  caption: string | null;
  /** Null if the job's file was deleted. */
  storageKey: string | null;
  hasCover: boolean;
  /** Subtitles as SubRip; null without any. */
  srt: string | null;
  /** Of subtitles that were translated. */
  subtitleLanguage: string | null;
};

/** Returns the files to send, in the job's order. */
export async function planFiles(
  { db }: Pick<Context, "db">,
  { delivery, destination }: ClaimedDelivery,
): Promise<WaitingFile[]> {
  const waiting = await selectWaiting(db, delivery.id).execute();
  const unnamed = waiting.filter((file) => file.target_path === null);
  const paths = new Map<string, string>();
  const job = withSettings(
    await db.selectFrom("jobs").selectAll().where("id", "=", delivery.job_id).executeTakeFirstOrThrow(),
  );
  if (unnamed.length > 0) {
    const { name_pattern: pattern } = destination.settings;
    const named = { ...job, name_pattern: pattern };
    const taken = await readTakenPaths(db, delivery.id);
    for (const file of unnamed) {
      const wanted = pattern === null ? { name: file.name, nameIfTaken: file.name } : nameFor(named, file);
      paths.set(file.id, claimPath(delivery.folder, wanted, taken));
    }
    await sql`update delivery_files set target_path = planned.path
      from unnest(${[...paths.keys()]}::uuid[], ${[...paths.values()]}::text[]) as planned (id, path)
      where delivery_files.id = planned.id`.execute(db);
  }
  return waiting.map((file) => ({
    id: file.id,
    name: file.name,
    sha256: file.sha256,
    resume: file.resume,
    attempts: file.attempts,
    caption: file.caption,
    storageKey: file.storage_key,
    hasCover: file.cover !== null,
    srt: file.srt,
    subtitleLanguage: subtitleLanguageOf(settingsOfVideo(job, file.row_settings), file.variant),
    targetPath: file.target_path ?? paths.get(file.id)!,
  }));
}

/** Returns lower-case paths. */
export async function readTakenPaths(db: Kysely<Tables>, deliveryId: string): Promise<Set<string>> {
  const rows = await db
    .selectFrom("delivery_files")
    .select("target_path")
    .where("delivery_id", "=", deliveryId)
    .where("target_path", "is not", null)
    .execute();
  return new Set(rows.map(({ target_path: taken }) => taken!.toLowerCase()));
}

export function pathIn(folder: string, name: string): string {
  return folder === "" ? name : `${folder}/${name}`;
}

/** Ignores case, as some destinations do. */
function claimPath(folder: string, { name, nameIfTaken }: OutputName, taken: Set<string>): string {
  const isFree = (candidate: string) => !taken.has(candidate.toLowerCase());
  let claimed = pathIn(folder, isFree(pathIn(folder, name)) ? name : nameIfTaken);
  for (let i = 2; !isFree(claimed); i += 1) claimed = numbered(pathIn(folder, nameIfTaken), i);
  taken.add(claimed.toLowerCase());
  return claimed;
}

type WaitingRow = Awaited<ReturnType<ReturnType<typeof selectWaiting>["execute"]>>[number];

function selectWaiting(db: Kysely<Tables>, deliveryId: string) {
  return db
    .selectFrom("delivery_files")
    .innerJoin("job_outputs", "job_outputs.id", "delivery_files.output_id")
    .innerJoin("job_videos", "job_videos.id", "job_outputs.video_id")
    .select(["delivery_files.id", "delivery_files.name", "target_path", "delivery_files.sha256", "resume"])
    .select(["delivery_files.attempts", "storage_key", "cover", "variant", "segment", "caption", "track"])
    .select(OUTPUT_SRT.as("srt"))
    .select(["position", "row_name", "row_pass", "row_settings", "link", "job_videos.name as source_name"])
    .where("delivery_id", "=", deliveryId)
    .where("state", "=", "Waiting")
    .orderBy("position")
    .orderBy("variant")
    .orderBy("segment");
}

function nameFor(job: Parameters<typeof nameOutput>[0]["job"], file: WaitingRow): OutputName {
  const { position, row_name, row_pass, row_settings, source_name: source } = file;
  const video = { position, row_name, row_pass };
  const { variant, segment, caption, track } = file;
  const name = sourceOfParts(row_pass) ?? path.parse(source ?? "").name;
  return nameOutput({ job: settingsOfVideo(job, row_settings), video, source: name, variant, segment, caption, track });
}

/** `a/b.mp4` with 2 becomes `a/b-2.mp4`. */
export function numbered(path: string, number: number): string {
  const [, stem, extension] = /^(.*?)(\.[A-Za-z0-9]{1,8})?$/s.exec(path)!;
  return `${stem}-${number}${extension ?? ""}`;
}
