import { Writable } from "node:stream";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { AnalyzeVideosResponse, GenerateCaptionsResponse } from "#contract/captions.ts";
import { claimCaptionTask, endCaptionTask } from "#operations/captions/batches/change-caption-task.ts";
import { saveServiceKey } from "#operations/settings/service-key.ts";
import { type OpenAiTwin, startOpenAiTwin, TWIN_KEY } from "#tests/support/twins/openai/openai-twin.ts";
import { openPostgresDatabase } from "#tests/support/servers/databases/postgres.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const LINK = "https://drive.google.com/file/d/abc/view";
const PROMPT = "a prompt that nobody but the model reads";
let openAi: OpenAiTwin;
let server: TestServer;
let token: string;
let logged = "";

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each caller knows its function's response
async function call<Result>(
  name: string,
  body: object,
  signal?: AbortSignal,
): Promise<{ status: number; data: Result }> {
  const response = await fetch(`${server.url}/functions/v1/${name}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(body),
    ...(signal && { signal }),
  });
  return { status: response.status, data: (await response.json()) as Result };
}

function analyze(body: object): Promise<{ status: number; data: AnalyzeVideosResponse }> {
  return call("analyze-video-captions", body);
}

describe("generated captions", () => {
  beforeAll(async () => {
    openAi = await startOpenAiTwin();
    const log = pino(
      { level: "debug" },
      new Writable({
        write(chunk: Buffer, _, done) {
          logged += chunk.toString();
          done();
        },
      }),
    );
    server = await startTestServer(undefined, { openDatabase: openPostgresDatabase, openAiUrl: openAi.url, log });
    token = (await server.client.auth.getSession()).data.session!.access_token;
  });
  beforeEach(async () => {
    openAi.behave(() => ({ kind: "normal" }));
    openAi.chats.length = 0;
    await saveServiceKey(server.context, "openai_key", TWIN_KEY);
  });
  afterAll(async () => {
    await server.close();
    await openAi.close();
  });

  describe("generate-captions", () => {
    // spec 3.5, 7.9
    it("returns the requested number of captions, and logs the tokens but neither the key nor the prompt", async () => {
      const request = { count: 3, generationMode: "custom", customPrompt: PROMPT };
      const { status, data } = await call<GenerateCaptionsResponse>("generate-captions", request);
      expect(status).toBe(200);
      expect(data.captions).toHaveLength(3);
      expect(logged).toMatch(/"count":3,"rounds":1,"inputTokens":100,"outputTokens":60,"msg":"captions generated"/);
      expect(logged).not.toContain(TWIN_KEY);
      expect(logged).not.toContain(PROMPT);
    });

    // spec 5.9
    it.each([
      [
        { generationMode: "reference" },
        { title: "Caption Set Required", error: "Select a caption set to use as a reference" },
      ],
      [
        { generationMode: "reference", captionSetId: "00000000-0000-4000-8000-000000000000" },
        {
          title: "Caption Set Not Found",
          error: "The selected caption set no longer exists. Please refresh and select another.",
        },
      ],
      [
        { generationMode: "custom", customPrompt: PROMPT, count: 101 },
        { error: expect.stringContaining("between 1 and 100") },
      ],
    ])("rejects %j", async (request, response) => {
      expect(await call("generate-captions", request)).toMatchObject({ status: 400, data: response });
    });

    it("aborts the request to OpenAI when the browser disconnects", async () => {
      openAi.behave(() => ({ kind: "gated" }));
      const leaving = new AbortController();
      const asked = call("generate-captions", { generationMode: "custom", customPrompt: PROMPT }, leaving.signal);
      await expect.poll(() => openAi.chats.length).toBe(1);
      leaving.abort();
      await expect(asked).rejects.toMatchObject({ name: "AbortError" });
      await expect.poll(() => openAi.abandoned).toBe(1);
    });

    it("explains a rejected key in plain words", async () => {
      await saveServiceKey(server.context, "openai_key", "sk-wrong-key-of-some-length");
      expect(await call("generate-captions", { generationMode: "custom", customPrompt: PROMPT })).toMatchObject({
        status: 400,
        data: { error: "OpenAI rejected the API key. Check your OpenAI API key in settings." },
      });
    });
  });

  describe("analyze-video-captions", () => {
    it("starts a batch, in order, and joins it when the same links are requested again", async () => {
      const first = await analyze({ videoLinks: [LINK, "nonsense"], wait: false });
      expect(first.data).toMatchObject({ captions: ["", ""], isDone: false });
      expect(first.data.results.map(({ link, status }) => [link, status])).toEqual([
        [LINK, "Queued"],
        ["nonsense", "Queued"],
      ]);
      const [again, other] = await Promise.all([
        analyze({ videoLinks: [LINK, "nonsense"], wait: false }),
        analyze({ videoLinks: `${LINK}, ${LINK}`, wait: false }),
      ]);
      expect(again.data.batchId).toBe(first.data.batchId);
      expect(other.data.batchId).not.toBe(first.data.batchId);
      expect(other.data.results).toHaveLength(2);
    });

    it("stops a canceled batch, and starts another one after that", async () => {
      const { data } = await analyze({ videoLinks: [LINK], wait: false });
      const cancelled = await analyze({ batchId: data.batchId, action: "cancel" });
      expect(cancelled.data).toMatchObject({ isDone: true, captions: [""] });
      expect(cancelled.data.results[0]).toMatchObject({ status: "Cancelled", error: "Cancelled" });
      expect((await analyze({ videoLinks: [LINK], wait: false })).data.batchId).not.toBe(data.batchId);
    });

    // spec 2.5.1, 7.10
    it("responds once every video has ended, in order, processing a limited number at the same time", async () => {
      let [atOnce, maxConcurrent] = [0, 0];
      await server.context.queue.captions.work(2, async (task) => {
        maxConcurrent = Math.max(maxConcurrent, (atOnce += 1));
        const attemptRef = { taskId: task.taskId, attempt: task.attempt };
        const claimed = await claimCaptionTask(server.context, task, task.attempt, ["openai"]);
        const place = claimed?.position ?? 0;
        await endCaptionTask(
          server.context,
          attemptRef,
          place === 1 ? { reason: "No" } : { caption: `Caption ${place}` },
        );
        atOnce -= 1;
      });
      const links = Array.from({ length: 5 }, (_, i) => `${LINK}?place=${i}`);
      const { data } = await analyze({ videoLinks: links });
      expect(data.captions).toEqual(["Caption 0", "", "Caption 2", "Caption 3", "Caption 4"]);
      expect(data.results[1]).toMatchObject({ status: "Failed", error: "No", caption: null });
      expect(data.isDone).toBe(true);
      expect(maxConcurrent).toBeLessThanOrEqual(2);
    });

    // spec 5.9
    it.each([
      [{}, 400, { title: "Invalid Links", error: "No valid Google Drive video links found" }],
      [{ videoLinks: ["nonsense"] }, 400, { title: "Invalid Links", error: "No valid Google Drive video links found" }],
      [
        { videoLinks: Array.from({ length: 201 }, () => LINK) },
        400,
        { error: "At most 200 videos can be analyzed at a time." },
      ],
      [
        { batchId: "00000000-0000-4000-8000-000000000000" },
        404,
        { error: "These videos are no longer being analyzed." },
      ],
      [{ action: "cancel" }, 400, { error: "The batch ID is missing." }],
    ])("rejects %j", async (request, status, response) => {
      expect(await analyze(request)).toMatchObject({ status, data: response });
    });

    it("fetches nothing without a key", async () => {
      await saveServiceKey(server.context, "openai_key", null);
      expect(await analyze({ videoLinks: [LINK] })).toMatchObject({
        status: 400,
        data: { error: "No OpenAI API key is saved. Enter your OpenAI API key in settings." },
      });
    });
  });
});
