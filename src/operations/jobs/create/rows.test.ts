/** Jobs whose videos have settings of their own. */
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from "vitest";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { parseCreateJob } from "#contract/jobs/create-job.ts";
import { libraryLink } from "#contract/sources/hosts/library.ts";
import { SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { rerunSettings } from "#contract/job-settings/setting-values.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { listJobs, listJobsSchema } from "../read/list-jobs.ts";
import { claimVideo } from "../videos/claim-video.ts";
import { prepareJob } from "./prepare-job.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

const link = (id: string) => `https://drive.google.com/file/d/${id}/view`;
const ROWS: JobRow[] = [
  {
    link: link("a"),
    settings: { custom_captions: ["own 1", "own 2"], format: "1:1" },
    pass: { sku: "A-1", "a b": "2", z: "3", a: "4" },
    name: "harbor",
  },
  { link: link("b") },
  { link: ` ${link("c")} `, settings: { watermark_text: " @mill ", captions_enabled: false } },
];

async function claim(job: Pick<Job, "id">, position: number) {
  const { id: videoId } = await server.context.db
    .selectFrom("job_videos")
    .select("id")
    .where("job_id", "=", job.id)
    .where("position", "=", position)
    .executeTakeFirstOrThrow();
  return (await claimVideo(server.context, { videoId, jobId: job.id, startTag: 0 }, 1))!;
}

it("stores what each row changes, and gives it back to a rerun", async () => {
  const job = await server.create({ rows: ROWS, captions_enabled: true, custom_captions: ["all"] });
  expect(job.input_videos).toEqual([link("a"), link("b"), link("c")]);
  expect(job.rows).toEqual([
    { ...ROWS[0], settings: { ...ROWS[0]!.settings, captions_enabled: true } },
    { link: link("b") },
    { link: link("c"), settings: { watermark_text: "@mill", watermark_enabled: true, captions_enabled: false } },
  ]);
  // in the order of the table
  expect(Object.keys(job.rows[0]!.pass!)).toEqual(["sku", "a b", "z", "a"]);
  const again = await server.create(rerunSettings(job));
  expect(again.rows).toEqual(job.rows);
  const plain = await server.create({ rows: [] });
  expect(plain.rows).toEqual([]);
});

it("gives a claimed video the job's settings with its row's", async () => {
  const job = await server.create({
    rows: [...ROWS, { link: link("d") }],
    captions_enabled: true,
    custom_captions: ["x", "y", "z"],
    variants_per_video: 2,
  });
  const first = await claim(job, 0);
  expect(first).toMatchObject({
    job: { custom_captions: ["own 1", "own 2"], format: "1:1", watermark_enabled: false },
    video: { row_name: "harbor", row_pass: { sku: "A-1" } },
    turns: { caption: 0, track: 0 },
  });
  const last = await claim(job, 3);
  expect(last).toMatchObject({
    job: { custom_captions: ["x", "y", "z"], format: "source" },
    turns: { caption: 6, track: 6 },
  });
  expect((await claim(job, 2)).job).toMatchObject({ captions_enabled: false, watermark_text: "@mill" });
});

it("claims a video without reading the links of all videos", async () => {
  const job = await server.create({ input_videos: [link("a"), link("b")] });
  expect((await claim(job, 0)).job).not.toHaveProperty("input_videos");
});

it("omits rows from light rows if they are long, and returns them by name", async () => {
  const rows = Array.from({ length: 400 }, (_, i) => ({ link: link(`${i}`), pass: { note: "n".repeat(50) } }));
  const { id } = await server.create({ rows });
  const { jobs } = await listJobs(server.context, listJobsSchema.parse({ limit: 1 }));
  expect(jobs[0]).toMatchObject({ id, total_videos: 400 });
  expect(jobs[0]).not.toHaveProperty("rows");
  const whole = await server.client.from("jobs").select("rows").eq("id", id).single();
  expect(whole.data).toEqual({ rows });
});

it("copies the sets of rows into them", async () => {
  const { db } = server.context;
  const set = await db
    .insertInto("caption_sets")
    .values({ name: "A set", captions: ["from the set"] })
    .returning("id")
    .executeTakeFirstOrThrow();
  const job = await server.create({
    rows: [{ link: link("a"), settings: { caption_set_id: set.id } }, { link: link("b") }],
  });
  expect(job.rows[0]!.settings).toEqual({
    caption_set_id: set.id,
    captions_enabled: true,
    custom_captions: ["from the set"],
  });
  expect(job.captions_enabled).toBe(false);
});

it("rejects rows that are too large with their sets, even above V8's longest string", async () => {
  const set = await server.context.db
    .insertInto("caption_sets")
    .values({ name: "A large set", captions: Array.from({ length: 512 }, () => "x".repeat(2_000)) })
    .returning("id")
    .executeTakeFirstOrThrow();
  const rows = Array.from({ length: 600 }, (_, i) => ({ link: link(`${i}`), settings: { caption_set_id: set.id } }));
  await expect(server.create({ rows })).rejects.toMatchObject({
    code: "invalid",
    message: "The rows of a job can total at most 4 MB",
  });
});

it("keeps the library files of rows", async () => {
  const facts = { name: "song", kind: "audio", size_bytes: 1, duration_seconds: 1, is_sample: false } as const;
  await server.context.db
    .insertInto("library_files")
    .values({ id: "song", storage_key: "library/song", ...facts })
    .execute();
  const settings = { custom_audio_links: [libraryLink("song")] };
  const job = await server.create({ rows: [{ link: link("a"), settings }] });
  const uses = await server.context.db.selectFrom("library_uses").selectAll().where("job_id", "=", job.id).execute();
  expect(uses).toEqual([{ file_id: "song", job_id: job.id }]);
});

it("parses a track once, however many rows use it", async () => {
  const [shared, own] = [link("shared"), link("own")];
  const settings = [
    { format: "1:1" },
    { format: "9:16" },
    { custom_audio_links: [own] },
    { custom_audio_links: [own] },
  ];
  const rows = settings.map((changed, i) => ({ link: link(`${i}`), settings: changed }));
  const body = { job_name: "A job", rows, audio_enabled: true, custom_audio_links: [shared] };
  const parsed = parseCreateJob(body, SPECIFIED_SOURCES);
  if (!parsed.ok) throw new Error(parsed.problem.description);
  const parse = vi.spyOn(URL, "parse");
  onTestFinished(() => parse.mockRestore());
  await server.context.db.transaction().execute((trx) => prepareJob(trx, server.context, parsed.input));
  expect(parse.mock.calls.filter(([address]) => address === shared)).toHaveLength(1);
  expect(parse.mock.calls.filter(([address]) => address === own)).toHaveLength(1);
});

it.each<[unknown, string]>([
  [[{ link: "" }], "Videos Required / Please add at least one video link"],
  [[{ link: "nonsense" }], "Invalid Links / No valid Google Drive video links found"],
  [[{ link: link("a") }, { link: " " }], "Invalid Job / Row 2: link: "],
  [
    [{ link: link("a"), settings: { captions_enabled: true } }],
    "Captions Required / Row 1: Captions are enabled but no",
  ],
  [[{ link: link("a"), settings: { format: "3:1" } }], "Invalid Job / Row 1: format: "],
  [[{ link: link("a"), settings: { output_folder: "x" } }], "Invalid Job / Row 1: "],
  [[{ link: link("a"), settings: { start_seconds: 5, end_seconds: 5 } }], "Invalid Part / Row 1: The part to use must"],
  [
    [{ link: link("a"), settings: { end_seconds: 0.15, speed: 2 } }],
    "Invalid Part / Row 1: The part to use must end at least 0.2 seconds after its start",
  ],
  [[{ link: link("a"), settings: "x" }], "Invalid Job / Row 1: "],
  [
    [{ link: link("a"), settings: { variants_per_video: 9_999 } }, { link: link("b") }, { link: link("c") }],
    "Too Many Files",
  ],
  [[{ link: link("a"), pass: { "": "x" } }], "Invalid Job / Row 1: pass"],
  [["text", null, { link: link("a") }], "Invalid Job / Row 1: "],
  [[{ link: link("a"), pass: { note: "n".repeat(2_001) } }], "Invalid Job / Row 1: pass.note: "],
])("rejects rows like %j in one sentence", (rows, expected) => {
  const parsed = parseCreateJob({ job_name: "A job", rows }, SPECIFIED_SOURCES);
  const problem = parsed.ok ? "" : `${parsed.problem.title} / ${parsed.problem.description}`;
  expect(problem).toContain(expected);
});
