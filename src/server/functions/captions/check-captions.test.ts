import { FunctionsHttpError } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { CheckCaptionsResponse, CreateJobResponse } from "#contract/calls.ts";
import type { CaptionSet } from "#contract/sets.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const LINK = "https://drive.google.com/file/d/abc/view";
const LONG = "Three sips in and the inbox looks smaller. ".repeat(12).trim();
const RUNES = {
  code: "letters_missing",
  message: "Caption 2 will be drawn without ᚠ ᚢ: no font supports them.",
};
let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each caller knows its function's response
async function call<T>(name: string, body: Record<string, unknown>): Promise<T> {
  const { data, error } = await server.client.functions.invoke<T>(name, { body });
  if (!error) return data as T;
  if (!(error instanceof FunctionsHttpError)) throw error;
  return (await (error.context as Response).json()) as T;
}

const job = (more: Record<string, unknown>) => ({
  job_name: "Letters",
  input_videos: [LINK],
  captions_enabled: true,
  ...more,
});

it("warns with a new job about characters missing in its captions and watermark", async () => {
  const request = job({ custom_captions: ["go", "go ᚠᚢᚠ"], watermark_enabled: true, watermark_text: "@ᚱ" });
  const { data, warnings } = await call<CreateJobResponse>("jobs", request);
  expect(data.status).toBe("Queued");
  const mark = { code: "letters_missing", message: "The watermark is drawn without ᚱ: no font supports it." };
  expect(warnings).toEqual([RUNES, mark]);
  const plain = await call<CreateJobResponse>("jobs", job({ custom_captions: ["ꜰᴏʟʟᴏᴡ ᴍᴇ", "শেষ"] }));
  expect(plain.warnings).toEqual([]);
});

it("rejects captions that do not fit on a vertical video with their count, typed or from a set, and creates no job", async () => {
  const before = await server.context.db.selectFrom("jobs").select("id").execute();
  const one = await call("jobs", job({ custom_captions: ["go", LONG] }));
  expect(one).toMatchObject({
    title: "Caption Too Long",
    error: expect.stringMatching(/^Caption 2 has 515 characters, and about \d{3} fit on a vertical video$/),
  });
  const set = await call<{ data: CaptionSet }>("caption-sets", {
    method: "POST",
    name: "Long",
    captions: [LONG, LONG],
  });
  const two = await call("jobs", job({ caption_set_id: set.data.id, caption_style: "box" }));
  expect(two).toMatchObject({
    title: "Captions Too Long",
    error: expect.stringMatching(
      /^2 captions are too long: caption 1, for example, has 515 characters, and about \d{3} fit/,
    ),
  });
  expect(await server.context.db.selectFrom("jobs").select("id").execute()).toEqual(before);
  // There is room for more lines in the middle.
  const middle = await call<CreateJobResponse>("jobs", job({ custom_captions: [LONG], caption_position: "middle" }));
  expect(middle.data.status).toBe("Queued");
});

it("responds the same before a job is created", async () => {
  const response = await call<CheckCaptionsResponse>("check-captions", {
    captions: [LONG, "ᚠᚢ"],
    watermark_text: "me",
  });
  expect(response).toEqual({
    problem: { title: "Caption Too Long", description: expect.stringContaining("Caption 1 has 515 characters") },
    warnings: [RUNES],
  });
  expect(await call("check-captions", { captions: ["go"] })).toEqual({ problem: null, warnings: [] });
});

it("rejects more text than a job allows, and much more before reading it", async () => {
  const captions = Array.from({ length: 600 }, () => "ᚠ".repeat(1_000));
  expect(await call("check-captions", { captions })).toEqual({
    problem: { title: "Too Much Caption Text", description: "A job can have at most 1 MB of caption text" },
    warnings: [],
  });
  const huge = Array.from({ length: 10_000 }, () => "a".repeat(2_000));
  const rejected = await Promise.all(Array.from({ length: 3 }, () => call("check-captions", { captions: huge })));
  expect(rejected).toMatchObject(rejected.map(() => ({ error: "The request is larger than 7 MB." })));
});

it("returns the warnings of a caption set in its row, by function and by table", async () => {
  const body = { method: "POST", name: "Runes", captions: ["go", "ᚠᚢ"] };
  const { data } = await call<{ data: CaptionSet }>("caption-sets", body);
  expect(data.warnings).toEqual([RUNES]);
  const listed = await call<{ data: CaptionSet[] }>("caption-sets", { method: "GET" });
  expect(listed.data.find(({ id }) => id === data.id)).toEqual(data);
  const { data: row } = await server.client.from("caption_sets").select("*").eq("id", data.id).single();
  expect(row).toEqual(data);
  const { data: changed } = await server.client
    .from("caption_sets")
    .update({ captions: ["go"] })
    .eq("id", data.id)
    .select("id, warnings")
    .single();
  expect(changed).toEqual({ id: data.id, warnings: [] });
});
