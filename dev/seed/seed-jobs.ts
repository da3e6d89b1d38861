import { type Insertable, sql } from "kysely";
import { JOB_DEFAULTS } from "#contract/jobs/jobs.ts";
import { toStored } from "#operations/jobs/read/stored-settings.ts";
import type { JobsTable } from "#database/tables.ts";
import type { Context } from "#operations/context.ts";

const LINK = "https://drive.google.com/file/d/1x8Qm4tB0vYfR2kLz7NcWpA9dHsJ3eUgT/view";

/** PostgreSQL accepts 65,535 parameters per statement. */
const ROWS_PER_INSERT = 1_000;

type Seed = { name: string; videos: number; variants: number; minutesAgo: number } & Partial<Insertable<JobsTable>>;

const NOT_SHARED = 'This Google Drive file is not shared. Share it with "Anyone with the link", then retry.';

const SEEDS: Seed[] = [
  { name: "Winter menu reels", videos: 12, variants: 3, minutesAgo: 2, status: "Queued" },
  {
    name: "Staff picks, voice-over test",
    videos: 8,
    variants: 2,
    minutesAgo: 5,
    status: "Queued",
    audio_enabled: true,
    audio_mode: "mix",
  },
  {
    name: "Cold brew launch, hooks A to D",
    videos: 40,
    variants: 4,
    minutesAgo: 26,
    status: "Processing",
    progress: 31.5,
    current_video: 13,
  },
  {
    name: "Roastery tour, long cut in segments",
    videos: 6,
    variants: 4,
    minutesAgo: 41,
    status: "Processing",
    progress: 58,
    current_video: 4,
    retry_count: 1,
  },
  {
    name: "Podcast cutdowns, episode 112",
    videos: 15,
    variants: 6,
    minutesAgo: 58,
    status: "Cancelling",
    progress: 48,
    current_video: 8,
  },
  {
    name: "Gym series, week 47",
    videos: 18,
    variants: 4,
    minutesAgo: 110,
    status: "Failed",
    progress: 0,
    retry_count: 3,
    error_message: `18 of 18 videos failed. Video 1: ${NOT_SHARED} Video 2: ${NOT_SHARED} Video 3: ${NOT_SHARED} And 15 more.`,
  },
  {
    name: "Harbor hotel walkthroughs",
    videos: 24,
    variants: 4,
    minutesAgo: 270,
    status: "Completed",
    progress: 100,
    error_message:
      "2 of 24 videos failed; 88 files are ready. Video 3: This file is not a video. Video 9: The video file is damaged or incomplete.",
  },
  { name: "", videos: 3, variants: 1, minutesAgo: 360, status: "Completed", progress: 100 },
  {
    name: "Latte art shorts",
    videos: 20,
    variants: 3,
    minutesAgo: 1_600,
    status: "Cancelled",
    progress: 38,
    error_message: "Job cancelled by user",
  },
];

/** Adds rows without tasks, unless the database has jobs. */
export async function seedJobs({ db }: Pick<Context, "db">): Promise<void> {
  if (await db.selectFrom("jobs").select("id").limit(1).executeTakeFirst()) return;
  await db.insertInto("jobs").values(SEEDS.map(toRow)).execute();
  await sql`insert into job_videos (job_id, position, link, status, error_message)
    select id, position, ${LINK}, 'Failed', 'This file is not a video.' from jobs, unnest(array[2, 8]) as position
    where job_name = 'Harbor hotel walkthroughs'`.execute(db);
}

/** Adds a row without tasks. Returns its id. */
export async function seedJob({ db }: Pick<Context, "db">, differences: Partial<Seed>): Promise<string> {
  const seed = { name: "A job", videos: 1, variants: 1, minutesAgo: 0, ...differences };
  return (await db.insertInto("jobs").values(toRow(seed)).returning("id").executeTakeFirstOrThrow()).id;
}

/** One per minute. */
export async function seedManyJobs({ db }: Pick<Context, "db">, count: number): Promise<void> {
  const rows = Array.from({ length: count }, (_, index) =>
    toRow({
      name: `Batch ${count - index}`,
      videos: 3,
      variants: 2,
      minutesAgo: 2_000 + index,
      status: "Completed",
      progress: 100,
    }),
  );
  for (let from = 0; from < rows.length; from += ROWS_PER_INSERT) {
    await db
      .insertInto("jobs")
      .values(rows.slice(from, from + ROWS_PER_INSERT))
      .execute();
  }
}

function toRow({ name, videos, variants, minutesAgo, ...rest }: Seed): Insertable<JobsTable> {
  return {
    ...toStored(JOB_DEFAULTS),
    job_name: name,
    input_videos: Array.from({ length: videos }, () => LINK),
    captions_enabled: true,
    custom_captions: ["Wait for the pour at the end", "Save this for your next early shift"],
    variants_per_video: variants,
    error_message: null,
    current_video: null,
    total_videos: videos,
    created_by: null,
    processing_started_at: rest.status === "Queued" ? null : minutesBack(minutesAgo - 1),
    queued_at: minutesBack(minutesAgo),
    created_at: minutesBack(minutesAgo),
    updated_at: minutesBack(Math.max(minutesAgo - 30, 0)),
    ...rest,
  };
}

function minutesBack(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}
