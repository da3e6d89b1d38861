/** A new row in the settings table is enough to add a job setting. */
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { assignOutputs } from "#contract/jobs/outputs/assignment.ts";
import type { WholeJob } from "#contract/jobs/jobs.ts";
import { JOB_DEFAULTS, pickSettings, settingsWhere, streamSettings } from "#contract/job-settings/setting-values.ts";
import { planRender } from "#media/plan/plan-render.ts";
import type { RenderRequest } from "#media/plan/render-plan.ts";
import { soundKey, stretchKey } from "#media/plan/stream-keys.ts";
import { probe } from "#media/probe/probe.ts";
import { claimVideo } from "#operations/jobs/videos/claim-video.ts";
import { describePlan } from "#web/features/create-job/plan/describe-plan.ts";
import { openDraftStore } from "#web/features/create-job/draft/draft-store.ts";
import { formFromJob } from "#web/features/create-job/draft/from-job.ts";
import { EMPTY_GENERATOR } from "#web/features/create-job/captions/generator-form.ts";
import { EMPTY_FORM, type JobForm, readForm, toCreateRequest } from "#web/features/create-job/draft/job-form.ts";
import { readDraft } from "#web/features/create-job/draft/read-draft.ts";
import { describeSettings } from "#web/features/job/head/describe-settings.ts";
import { rerunRequest } from "#web/jobs/rerun/rerun-request.ts";
import { toRenderRequests } from "#worker/videos/plan-video.ts";
import { makeClip } from "#tests/support/media/make-clip.ts";
import { testTools } from "#tests/support/media/media-tools.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";
import { memoryStorage } from "#tests/support/memory-storage.ts";

const { END_CARD } = vi.hoisted(() => ({
  END_CARD: {
    label: "End card",
    kind: "choice",
    choices: { none: "None", logo: "Logo" },
    default: "none",
    stored: "json",
    isRerun: true,
    stream: "picture",
  },
}));

vi.mock("#contract/job-settings/job-settings.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("#contract/job-settings/job-settings.ts")>();
  return { ...original, JOB_SETTINGS: { ...original.JOB_SETTINGS, end_card: END_CARD } };
});

const LINK = "https://drive.google.com/file/d/abc/view";
const WITH_LOGO = { end_card: "logo" } as object;

let server: TestServer;
let job: WholeJob;

beforeAll(async () => {
  server = await startTestServer(undefined, { checksResponses: false });
  job = await server.create(WITH_LOGO);
});
afterAll(() => server.close());

function form(): JobForm {
  return formFromJob(job, EMPTY_GENERATOR);
}

async function readRow(id: string): Promise<unknown> {
  const { data } = await server.client.from("jobs").select("id, end_card").eq("id", id).single();
  return data;
}

describe("creating a job", () => {
  it("accepts the setting; if it is absent or null, applies the default", async () => {
    expect(job).toMatchObject({ end_card: "logo" });
    expect(await server.create()).toMatchObject({ end_card: "none" });
    expect(await server.create({ end_card: null } as object)).toMatchObject({ end_card: "none" });
  });

  it("rejects an invalid value with an error that names the setting", async () => {
    const body = { job_name: "A job", input_videos: [LINK], end_card: "fireworks" };
    const { error } = await server.client.functions.invoke("jobs", { body });
    const response = (await (error as { context: Response }).context.json()) as { error: string };
    expect(response.error).toContain("end_card");
  });

  it("treats a missing setting and its default as the same idempotent request, also after an upgrade", async () => {
    const body = { job_name: "Once", input_videos: [LINK], idempotency_key: "before-and-after-an-upgrade" };
    const ids: string[] = [];
    for (const card of [{}, { end_card: "none" }]) {
      const { data } = await server.client.functions.invoke<{ data: WholeJob }>("jobs", { body: { ...body, ...card } });
      ids.push(data!.data.id);
    }
    expect(ids[0]).toBe(ids[1]);
    const { error } = await server.client.functions.invoke("jobs", { body: { ...body, ...WITH_LOGO } });
    expect((error as { context: Response }).context.status).toBe(422);
  });
});

describe("storage", () => {
  it("stores the setting by name and returns it as a field of the job", async () => {
    const row = await server.context.db
      .selectFrom("jobs")
      .select("settings")
      .where("id", "=", job.id)
      .executeTakeFirstOrThrow();
    const defaults = pickSettings(
      JOB_DEFAULTS,
      settingsWhere(({ stored }) => stored === "json"),
    );
    expect(row.settings).toEqual({ ...defaults, ...WITH_LOGO });
    expect(await readRow(job.id)).toEqual({ id: job.id, ...WITH_LOGO });
    expect(job).not.toHaveProperty("settings");
  });

  it("returns the default for a row older than the setting", async () => {
    const { id } = await server.create(WITH_LOGO);
    await server.context.db.updateTable("jobs").set({ settings: "{}" }).where("id", "=", id).execute();
    expect(await readRow(id)).toEqual({ id, end_card: "none" });
  });
});

describe("the job screen", () => {
  it("copies the setting to a rerun and to a duplicate", async () => {
    expect(rerunRequest(job)).toMatchObject(WITH_LOGO);
    expect(form()).toMatchObject({ endCard: "logo" });
    expect(toCreateRequest(form())).toMatchObject(WITH_LOGO);
    expect(await server.create(rerunRequest(job))).toMatchObject(WITH_LOGO);
  });

  it("keeps the setting in a draft and fills in the default in an older draft", () => {
    const local = memoryStorage();
    const store = openDraftStore({ owner: "an-operator", local, session: memoryStorage() });
    store.read();
    store.write(form());
    expect(store.read()).toEqual(form());
    const { endCard: _absent, ...older } = EMPTY_FORM as JobForm & { endCard: string };
    expect(readDraft(stored(older))?.form).toEqual(EMPTY_FORM);
    expect(EMPTY_FORM).toMatchObject({ endCard: "none" });
    expect(readDraft(stored({ ...older, endCard: "fireworks" }))).toBeNull();
  });

  it("shows the setting with its label if it differs from the default", () => {
    expect(describeSettings(job)).toContainEqual(["End card", "Logo"]);
    expect(describePlan(form(), readForm(form())).summary).toContain("End card: Logo");
    expect(describePlan(EMPTY_FORM, readForm(EMPTY_FORM)).summary).not.toContain("End card");
  });
});

const EMPTY = {
  name: "",
  source: "",
  position: "",
  variant: "",
  segment: "",
  caption: "",
  track: "",
  job: "",
  format: "",
  language: "",
};
const NO_VALUES = { ...EMPTY, row: {} };

describe("rendering", () => {
  let asked: RenderRequest;
  let plain: RenderRequest;

  beforeAll(async () => {
    const { id: videoId } = await server.context.db
      .selectFrom("job_videos")
      .select("id")
      .where("job_id", "=", job.id)
      .executeTakeFirstOrThrow();
    const claimed = await claimVideo(server.context, { videoId, jobId: job.id, startTag: 0 }, 1);
    const file = path.join(server.folder, "clip.mp4");
    await makeClip(file, { width: 160, height: 90, seconds: 1, toneHz: 440 });
    const source = { path: file, probe: await probe(await testTools(), file), revision: "source" };
    const counts = { variants: 1, captions: 0, tracks: 0 };
    const assignments = assignOutputs({ durationSeconds: 1, ...counts, segmentation: null });
    const nothing = { names: ["clip"], tracks: new Map(), images: new Map(), valuesOf: () => NO_VALUES };
    [asked] = toRenderRequests(claimed!, { clips: [source], ...nothing, assignments }) as [RenderRequest];
    plain = { ...asked, settings: streamSettings(JOB_DEFAULTS) };
  });

  it("requests the setting, and stops copying the source's picture", () => {
    expect(asked.settings).toMatchObject(WITH_LOGO);
    expect(planRender(plain).outputs[0]!.picture).toEqual({ from: "source" });
    expect(planRender(asked).outputs[0]!.picture).toMatchObject({ from: "encoded" });
  });

  it("includes the setting in picture keys but not in sound keys", () => {
    const plan = planRender({ ...asked, isPictureNeverCopied: true });
    const nothing = new Map();
    const encoder = { name: "software", version: "7.0" } as const;
    const keyOf = (request: RenderRequest) => stretchKey(plan.stretches[0]!, plan, request, nothing, encoder);
    expect(keyOf(asked)).not.toBe(keyOf(plain));
    const soundOf = (request: RenderRequest) => soundKey(plan.sounds[0]!, plan, request, "software");
    expect(soundOf(asked)).toBe(soundOf(plain));
  });
});

it("describes the setting in the API document with its label, values and default", async () => {
  const { data } = await server.client.auth.getSession();
  const headers = { authorization: `Bearer ${data.session!.access_token}` };
  const document = (await (await fetch(`${server.url}/openapi.json`, { headers })).json()) as {
    components: { schemas: { JobsCreateRequest: { properties: Record<string, unknown> } } };
  };
  const { properties } = document.components.schemas.JobsCreateRequest;
  expect(properties["end_card"]).toMatchObject({ title: "End card", default: "none" });
  expect(JSON.stringify(properties["end_card"])).toContain('"enum":["none","logo"]');
  expect(Object.keys(properties)).toEqual(expect.arrayContaining(settingsWhere(() => true)));
});

function stored(form: unknown): string {
  return JSON.stringify({ version: 1, revision: "a", savedAt: 1, form });
}
