import { FunctionsHttpError } from "@supabase/supabase-js";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { DashboardResponse, ListJobsResponse } from "#contract/calls.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { MODEL_KINDS } from "#contract/settings/models.ts";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { readServiceKey } from "#operations/settings/service-key.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const LINK = "https://drive.google.com/file/d/abc/view";
const NO_JOB = "00000000-0000-4000-8000-000000000000";
let server: TestServer;

/** Uses the real client. Returns status and body, even for errors. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each caller knows its function's response
async function call<T = unknown>(
  name: string,
  body?: unknown,
  method: "GET" | "POST" = "POST",
): Promise<{ status: number; data: T }> {
  const options = body === undefined ? { method } : { method, body: body as Record<string, unknown> };
  const { data, error } = await server.client.functions.invoke<T>(name, options);
  if (!error) return { status: 200, data: data as T };
  if (!(error instanceof FunctionsHttpError)) throw error;
  const response = error.context as Response;
  return { status: response.status, data: (await response.json()) as T };
}

async function findJobs(search: string): Promise<string[]> {
  const { data } = await call<ListJobsResponse>("jobs?action=list", { page: "1", limit: "10", search });
  return data.jobs.map((job) => job.id);
}

async function saveSettings(body: unknown): Promise<SettingsResponse> {
  return (await call<SettingsResponse>("settings", body)).data;
}

describe("the functions", () => {
  beforeAll(async () => {
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase });
  });
  afterAll(() => server.close());

  describe("jobs", () => {
    // spec 3.1, 7.3
    it("creates a job and returns its row", async () => {
      const { status, data } = await call<{ data: Job }>("jobs", { job_name: " First ", input_videos: [LINK] });
      expect(status).toBe(200);
      expect(data.data).toMatchObject({
        job_name: "First",
        status: "Queued",
        queue_position: 1,
        total_videos: 1,
        variants_per_video: 1,
        download_url: null,
      });
    });

    // spec 5.5, 5.5.1, 5.5.2, 5.5.3
    it.each([
      [{ job_name: " " }, "Job Name Required", "Please enter a name for your job"],
      [{ input_videos: [] }, "Videos Required", "Please add at least one video link"],
      [{ input_videos: ["https://a.test/x"] }, "Invalid Links", "No valid Google Drive video links found"],
      [{ captions_enabled: true }, "Captions Required", "Captions are enabled but no captions provided"],
      [{ audio_enabled: true }, "Audio Required", "Audio is enabled but no audio links provided"],
      [
        { audio_enabled: true, custom_audio_links: ["https://a.test/x"] },
        "Invalid Audio Links",
        "No valid Google Drive or Instagram audio links found",
      ],
      [{ job_name: "x".repeat(201) }, "Job Name Too Long", "Job names can have at most 200 characters"],
      [
        { captions_enabled: true, caption_set_id: NO_JOB },
        "Caption Set Not Found",
        "The selected caption set no longer exists. Please refresh and select another.",
      ],
    ])("applies the form's rules: %j", async (change, title, error) => {
      const before = await server.context.db.selectFrom("jobs").select("id").execute();
      const response = await call("jobs", { job_name: "Rejected", input_videos: [LINK], ...change });
      expect(response).toMatchObject({ status: 400, data: { error, title } });
      expect(await server.context.db.selectFrom("jobs").select("id").execute()).toEqual(before);
    });

    it("accepts the largest allowed job, and its history page stays a few megabytes", async () => {
      const { db } = server.context;
      const captions = Array.from({ length: 10_000 }, () => "字".repeat(34));
      const videos = Array.from({ length: 1_000 }, () => LINK.padEnd(1_000, "x"));
      const largest = {
        job_name: "Large",
        input_videos: videos,
        captions_enabled: true,
        custom_captions: captions,
        audio_enabled: true,
        custom_audio_links: videos,
      };
      const { data } = await call<{ data: Job }>("jobs", largest);
      expect(data.data.custom_captions).toHaveLength(10_000);
      const page = await call<ListJobsResponse>("jobs?action=list", { page: "1", limit: "1" });
      expect(page.data.jobs.map((job) => job.job_name)).toEqual(["Large"]);
      const [texts, frame] = [3 * 1024 ** 2, 64 * 1024];
      expect(Buffer.byteLength(JSON.stringify(page.data))).toBeLessThan(texts + frame);
      await db.deleteFrom("jobs").where("id", "=", data.data.id).execute();

      const tooMuch = await call("jobs", { ...largest, custom_captions: captions.map((caption) => `${caption}字`) });
      expect(tooMuch).toMatchObject({
        status: 400,
        data: { title: "Too Much Caption Text", error: "A job can have at most 1 MB of caption text" },
      });
      const tooLong = await call("jobs", {
        ...largest,
        input_videos: videos.map((link) => `${link}${"x".repeat(100)}`),
      });
      expect(tooLong).toMatchObject({
        status: 400,
        data: { title: "Links Too Long", error: "A job can have at most 2 MB of video and audio links" },
      });
    });

    it("rejects a caption set larger than a job may be, and larger ones can no longer be saved", async () => {
      const { db } = server.context;
      const captions = Array.from({ length: 600 }, () => "x".repeat(2_000));
      const saved = { name: "Older", captions };
      const set = await db.insertInto("caption_sets").values(saved).returning("id").executeTakeFirstOrThrow();
      const request = { job_name: "From a set", input_videos: [LINK], captions_enabled: true, caption_set_id: set.id };
      expect(await call("jobs", request)).toMatchObject({
        status: 400,
        data: { title: "Too Much Caption Text", error: "A job can have at most 1 MB of caption text" },
      });
      expect(await call("caption-sets", saved)).toMatchObject({
        status: 400,
        data: { error: "A caption set can have at most 1 MB of text" },
      });
      await db.deleteFrom("caption_sets").where("id", "=", set.id).execute();
    });

    // spec 2.8.4, 7.1
    it("lists a page, by body or query, filtered and searched", async () => {
      await server.create({ job_name: "Needle 100%", captions_enabled: true, custom_captions: ["Hi"] });
      const inBody = await call<ListJobsResponse>("jobs", {
        action: "list",
        page: "1",
        limit: "10",
        search: "needle 100%",
      });
      expect(inBody.data.total).toBe(1);
      expect(inBody.data.jobs[0]).toMatchObject({ job_name: "Needle 100%" });
      const inQuery = await call<ListJobsResponse>("jobs?action=list", { page: "1", limit: "1" });
      expect(inQuery.data.jobs).toHaveLength(1);
      expect(inQuery.data.total).toBeGreaterThan(1);
      const byType = await call<ListJobsResponse>("jobs?action=list", { page: "1", limit: "10", type: "captions" });
      expect(byType.data.jobs.every((job) => job.captions_enabled)).toBe(true);
      const odd = await call<{ error: string }>("jobs", { action: "list", page: "0", limit: "10" });
      expect(odd).toMatchObject({ status: 400, data: { error: expect.stringMatching(/^page: /) } });
    });

    // spec 7.1
    it("pages without gaps or duplicates, newest first, and counts exactly", async () => {
      for (let i = 0; i < 5; i += 1)
        await server.create({ job_name: `Page ${i}`, audio_enabled: true, custom_audio_links: [LINK] });
      const listed: Job[] = [];
      for (const page of ["1", "2", "3"]) {
        const { data } = await call<ListJobsResponse>("jobs?action=list", {
          page,
          limit: "2",
          type: "audio",
          status: "Queued",
        });
        expect(data.total).toBe(5);
        listed.push(...data.jobs);
      }
      expect(listed.map((job) => job.job_name)).toEqual(["Page 4", "Page 3", "Page 2", "Page 1", "Page 0"]);
      const { id } = listed[0]!;
      expect((await call("vps-integration/cancel", { jobId: id })).data).toEqual({ success: true });
      const total = async (status: string) =>
        (await call<ListJobsResponse>("jobs?action=list", { page: "1", limit: "1", type: "audio", status })).data.total;
      expect([await total("Queued"), await total("Cancelled"), await total("all")]).toEqual([4, 1, 5]);
      await server.context.db.deleteFrom("jobs").where("id", "=", id).execute();
      expect([await total("Queued"), await total("Cancelled"), await total("")]).toEqual([4, 0, 4]);
    });

    // spec 2.8.2
    it("finds a job by part of its name or the start of its id, with any characters", async () => {
      const job = await server.create({ job_name: "50%_off \\ “Été”" });
      for (const search of [
        "50%_",
        "\\",
        "“été”",
        "OFF",
        job.id.slice(0, 8),
        job.id.toUpperCase(),
        ` ${job.id.slice(0, 20)}`,
      ]) {
        expect([search, await findJobs(search)]).toEqual([search, [job.id]]);
      }
      for (const search of ["50_off", "%off%", job.id.slice(1, 9), `${job.id}0`])
        expect(await findJobs(search)).toEqual([]);
    });

    // spec 2.3.2, 7.2, 7.20
    it("returns the dashboard by GET, counting today from the browser's midnight", async () => {
      const past = await call<DashboardResponse>(
        "jobs?action=dashboard&since=2020-01-01T00:00:00%2B02:00",
        undefined,
        "GET",
      );
      expect(past.data.stats.jobsToday).toBeGreaterThan(0);
      expect(past.data.jobs).toHaveLength(5);
      const { data: list } = await call<ListJobsResponse>("jobs?action=list", {
        page: "1",
        limit: "1",
        status: "Queued",
      });
      expect(past.data.stats.queued).toBe(list.total);
      const future = await call<DashboardResponse>(
        "jobs?action=dashboard&since=2100-01-01T00:00:00Z",
        undefined,
        "GET",
      );
      expect(future.data.stats).toMatchObject({ jobsToday: 0, videosToday: 0 });
      const bare = await call<DashboardResponse>("jobs", undefined, "GET");
      expect(bare).toEqual(await call("jobs?action=dashboard", undefined, "GET"));
      expect(bare.data.jobs).toHaveLength(5);
      for (const query of ["action=dashboard&since=yesterday", "since=yesterday"]) {
        expect((await call(`jobs?${query}`, undefined, "GET")).status).toBe(400);
      }
    });

    it("rejects invalid requests in one sentence", async () => {
      expect(await call("jobs", { action: "explode" })).toMatchObject({
        status: 400,
        data: { error: "Unknown action for the function jobs." },
      });
      expect(await call("jobs", [1, 2])).toMatchObject({
        status: 400,
        data: { error: "The request must be a JSON object." },
      });
      expect(await call("nothing", {})).toMatchObject({
        status: 404,
        data: { error: "There is no function with this name." },
      });
    });
  });

  describe("sets", () => {
    // spec 3.3, 3.4, 7.6, 7.7, 7.8, 7.21
    it.each([
      ["caption-sets", "captions"],
      ["audio-sets", "audio_links"],
    ])("adds to %s and lists them, newest first", async (name, field) => {
      expect(await call(name, { method: "GET" })).toEqual({ status: 200, data: { data: [] } });
      const first = await call<{ data: { id: string } }>(name, {
        method: "POST",
        name: " One ",
        [field]: [" a ", " ", "Hello, world"],
      });
      expect(first.data.data).toEqual({
        id: expect.any(String),
        name: "One",
        [field]: ["a", "Hello, world"],
        ...(field === "captions" && { warnings: [] }),
        created_at: expect.any(String),
      });
      const second = await call<{ data: { id: string } }>(name, { method: "POST", name: "Two", [field]: ["b"] });
      const listed = await call<{ data: { id: string }[] }>(name, { method: "GET" });
      expect(listed.data.data.map((set) => set.id)).toEqual([second.data.data.id, first.data.data.id]);
      expect(await call(name, undefined, "GET")).toEqual(listed);
    });

    it.each([
      ["caption-sets", {}, "Please provide both name and captions"],
      ["caption-sets", { name: " ", captions: ["a"] }, "Please provide both name and captions"],
      ["caption-sets", { name: "a", captions: [" "] }, "Please provide both name and captions"],
      ["audio-sets", { name: "a" }, "Please provide both name and audio links"],
      ["audio-sets", { name: "a", audio_links: [] }, "Please provide both name and audio links"],
      ["audio-sets", { name: "a", audio_links: [7] }, expect.stringMatching(/^audio_links\.0: /)],
      ["caption-sets", { name: "a".repeat(201), captions: ["a"] }, "Names can have at most 200 characters"],
      [
        "caption-sets",
        { name: "a", captions: Array<string>(10_001).fill("a") },
        "A caption set can have at most 10,000 captions",
      ],
      ["caption-sets", { name: "a", captions: ["a", "b".repeat(2_001)] }, "Caption 2 is longer than 2,000 characters"],
      [
        "audio-sets",
        { name: "a", audio_links: Array<string>(1_001).fill("a") },
        "An audio set can have at most 1,000 audio links",
      ],
      ["audio-sets", { name: "a", audio_links: ["b".repeat(2_001)] }, "Audio link 1 is longer than 2,000 characters"],
      ["audio-sets", { method: "PUT" }, expect.stringMatching(/^method: /)],
    ])("rejects %s %j", async (name, body, error) => {
      expect(await call(name, body)).toMatchObject({ status: 400, data: { error } });
    });
  });

  describe("the idempotency key", () => {
    const body = { job_name: "Once", input_videos: [LINK] };
    const createWith = (key: string, more = {}) =>
      call<{ data: Job }>("jobs", { ...body, idempotency_key: key, ...more });

    it("creates one job for duplicate requests, at the same time or later", async () => {
      const responses = await Promise.all([createWith("a"), createWith("a"), createWith("a")]);
      const ids = responses.map((response) => response.data.data.id);
      expect(new Set(ids).size).toBe(1);
      expect((await createWith("a", { audio_mode: null })).data.data.id).toBe(ids[0]);
      const headers = { "Idempotency-Key": "a" };
      const { data } = await server.client.functions.invoke<{ data: Job }>("jobs", { body, headers });
      expect(data!.data.id).toBe(ids[0]);
      expect((await createWith("b")).data.data.id).not.toBe(ids[0]);
      const videos = await server.client.from("job_videos").select("id").eq("job_id", ids[0]!);
      expect(videos.data).toHaveLength(1);
    });

    it("rejects a key of a different request, and invalid keys", async () => {
      await createWith("c");
      expect(await createWith("c", { job_name: "Other" })).toMatchObject({
        status: 422,
        data: { code: "key_reused", error: "This Idempotency-Key was used for another request." },
      });
      expect((await createWith("x".repeat(201))).status).toBe(400);
    });
  });

  describe("vps-integration/cancel", () => {
    // spec 7.5
    it("cancels a queued job immediately, and rejects an ended one", async () => {
      const job = await server.create();
      expect((await call("vps-integration/cancel", { jobId: job.id })).data).toEqual({ success: true });
      const { data } = await server.client.from("jobs").select("status, error_message").eq("id", job.id).single();
      expect(data).toEqual({ status: "Cancelled", error_message: "Job cancelled by user" });
      expect(await call("vps-integration/cancel", { jobId: job.id })).toEqual({
        status: 200,
        data: { success: false, error: "The job has already finished." },
      });
    });

    it.each([[{ jobId: NO_JOB }], [{ jobId: "1 or 1=1" }], [{}]])("rejects %j", async (body) => {
      const { status, data } = await call<{ success: boolean; error: string }>("vps-integration/cancel", body);
      expect(status).toBe(200);
      expect(data.success).toBe(false);
      expect(data.error).toMatch(/^The job.*\.$/);
    });
  });

  describe("settings", () => {
    const NO_KEY = { set: false, last4: null, updatedAt: null };
    const DEFAULTS = {
      default_variants: 1,
      default_audio_mode: "replace",
      default_video_gain: 0.5,
      default_music_gain: 0.5,
      output_retention_days: 30,
      prefetch_sources: true,
      glossary: [],
      saved_defaults: [],
      source_hosts: [],
      private_sources: [],
      batch_scheduler_url: null,
      warmup_robot_url: null,
      fixed_settings: [],
      ...{ text_key: NO_KEY, text_base_url: null, text_model: null },
      ...{ vision_key: NO_KEY, vision_base_url: null, vision_model: null },
      ...{ transcription_key: NO_KEY, transcription_base_url: null, transcription_model: null },
      can_transcribe: false,
      transcript_names: [],
    };

    // spec 7.22, 9.8, 9.9
    it("returns the defaults before anything was saved", async () => {
      const nothing = { google_drive_key: NO_KEY, openai_key: NO_KEY, ...DEFAULTS };
      expect(await call("settings", { method: "GET" })).toEqual({ status: 200, data: nothing });
      expect((await call("settings", undefined, "GET")).data).toEqual(nothing);
    });

    // spec 3.6, 7.11
    it("stores keys without ever returning them, and removes them with null", async () => {
      const saved = await saveSettings({ google_drive_key: "AIzaSecret-1234", openai_key: "sk-short" });
      expect(saved.google_drive_key).toEqual({ set: true, last4: "1234", updatedAt: expect.stringMatching(/^20.*Z$/) });
      expect(saved.openai_key).toMatchObject({ set: true, last4: null });
      expect(await saveSettings({ google_drive_key: "", default_variants: 3 })).toMatchObject({
        google_drive_key: saved.google_drive_key,
        openai_key: saved.openai_key,
        default_variants: 3,
        saved_defaults: ["default_variants"],
      });
      const stored = JSON.stringify(await server.context.db.selectFrom("settings").selectAll().execute());
      expect(stored).not.toMatch(/AIzaSecret|sk-short/);
      expect(await readServiceKey(server.context, "google_drive_key")).toBe("AIzaSecret-1234");
      expect(await saveSettings({ google_drive_key: null, openai_key: null, default_variants: null })).toEqual({
        google_drive_key: NO_KEY,
        openai_key: NO_KEY,
        ...DEFAULTS,
      });
    });

    it("saves public model servers, and names", async () => {
      for (const kind of MODEL_KINDS) {
        const http = await call("settings", { [`${kind}_base_url`]: "http://127.0.0.1:8000/v1" });
        const error = `The ${kind} server's address must start with https://.`;
        expect(http).toMatchObject({ status: 400, data: { error } });
      }
      const names = [
        { from: " mac kinley ", to: "McKinley" },
        { from: "", to: "Ada" },
      ];
      const server = { transcription_base_url: "https://whisper.example/v1/", transcription_model: "small" };
      expect(await saveSettings({ ...server, transcript_names: names })).toMatchObject({
        ...server,
        transcription_base_url: "https://whisper.example/v1",
        can_transcribe: true,
        transcript_names: [{ from: "mac kinley", to: "McKinley" }, { to: "Ada" }],
      });
      const nothing = { transcription_base_url: null, transcription_model: "", transcript_names: null };
      expect(await saveSettings(nothing)).toMatchObject({ can_transcribe: false, transcript_names: [] });
    });

    it.each(MODEL_KINDS)(
      "removes the %s key when the server's address changes, unless there is a new key",
      async (kind) => {
        const [address, name] = [`${kind}_base_url`, `${kind}_key`] as const;
        const [one, other] = ["https://models.example/v1", "https://other.example/v1"];
        const start = { [address]: one, [name]: "key-of-one" };
        const key = () => readServiceKey(server.context, name);
        await saveSettings(start);
        await saveSettings({ [address]: `${one}/`, [`${kind}_model`]: "small", [name]: "" });
        expect(await key()).toBe("key-of-one");
        for (const [url, typed] of [[other], [null], [""], [other, ""], [other, null]]) {
          await saveSettings(start);
          const saved = await saveSettings({ [address]: url, [name]: typed });
          expect({ url, key: await key(), state: saved[name] }).toEqual({ url, key: null, state: NO_KEY });
        }
        // A key without an address is OpenAI's.
        await saveSettings({ [address]: null, [name]: "key-of-openai" });
        expect((await saveSettings({ [address]: other }))[name]).toEqual(NO_KEY);
        await saveSettings({ [address]: one, [name]: "key-of-another" });
        expect(await key()).toBe("key-of-another");
        await saveSettings({ [address]: null, [`${kind}_model`]: null });
      },
    );

    // spec 3.6, 5.15, 7.11, 9.6
    it("saves preferences within their limits, all or nothing", async () => {
      const wanted = {
        default_variants: 10,
        default_audio_mode: "mix",
        default_video_gain: 0.3,
        default_music_gain: 0,
        prefetch_sources: false,
        glossary: [{ term: "Clipmill", translations: { "pt-BR": "Clipmill Brasil" } }],
      };
      const glossary = [
        { term: "clipmill", translations: {} },
        { term: " Clipmill ", translations: { "PT-br": "Clipmill Brasil" } },
      ];
      expect((await call("settings", { ...wanted, glossary })).data).toMatchObject(wanted);
      for (const odd of [
        { default_variants: 0 },
        { default_variants: 11 },
        { default_variants: 1.5 },
        { output_retention_days: 0 },
        { output_retention_days: 3651 },
        { output_retention_days: 1.5 },
        { prefetch_sources: "no" },
        { default_audio_mode: "loud" },
        { default_video_gain: 1.1 },
        { default_music_gain: "1" },
        { google_drive_key: 7 },
        { method: "DELETE" },
      ]) {
        const { status, data } = await call<{ error: string }>("settings", { default_variants: 2, ...odd });
        expect([status, data.error]).toEqual([400, expect.stringMatching(/^[a-z_]+: /)]);
      }
      for (const [term, error] of [
        [{ term: " " }, "A term and its translations cannot be empty"],
        [{ term: "Sale", translations: { german: "Angebot" } }, "Use language tags such as de, pt-BR or zh-Hant"],
      ] as const) {
        const { status, data } = await call<{ error: string }>("settings", { glossary: [term] });
        expect([status, data.error]).toEqual([400, expect.stringContaining(error)]);
      }
      expect((await call("settings", { method: "GET" })).data).toMatchObject(wanted);
    });
  });

  it("returns the library", async () => {
    expect((await call("library", { method: "GET" })).data).toEqual({ data: [], isReady: false });
  });

  it.each([
    ["job_name: Remove character 2", { job_name: "a\u0000b", input_videos: [LINK] }],
    [
      "custom_captions.0: Remove character 2",
      { job_name: "Captions", input_videos: [LINK], captions_enabled: true, custom_captions: ["a\u0000b"] },
    ],
    ["search: Remove character 1", { action: "list", search: "\u0000" }],
  ])("rejects text that cannot be stored, in one sentence: %s %j", async (remedy, body) => {
    const { status, data } = await call<{ error: string }>("jobs", body);
    expect(status).toBe(400);
    expect(data.error).toBe(`${remedy} (U+0000, NUL). It cannot be stored.`);
  });
});
