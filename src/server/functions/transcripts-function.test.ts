import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type {
  ExportedTranscript,
  TranscriptLine,
  TranscriptsResponse,
  WholeTranscript,
} from "#contract/transcripts/transcripts.ts";
import { deleteOldTranscripts } from "#operations/retention/delete-old-rows.ts";
import { addTranscript } from "#tests/support/jobs/add-transcript.ts";
import { startTestServer, type TestServer } from "#tests/support/servers/server.ts";

const DAY_MS = 86_400_000;
const LINES: TranscriptLine[] = [
  {
    startSeconds: 1,
    endSeconds: 2.5,
    words: [
      { text: "Um, ", startSeconds: 1, endSeconds: 1.2, confidence: 0.4, hidden: true },
      { text: "hello ", startSeconds: 1.2, endSeconds: 1.8, confidence: 0.9 },
      { text: "there.", startSeconds: 1.8, endSeconds: 2.5 },
    ],
  },
];

let server: TestServer;
let videoId: string;
let jobId: string;
let id: string;

beforeAll(async () => {
  server = await startTestServer();
  const job = await server.create({ job_name: "A talk" });
  jobId = job.id;
  const { db } = server.context;
  ({ id: videoId } = await db
    .selectFrom("job_videos")
    .select("id")
    .where("job_id", "=", jobId)
    .executeTakeFirstOrThrow());
});
afterAll(() => server.close());
beforeEach(async () => {
  await server.context.db.deleteFrom("transcripts").execute();
  id = await addTranscript(server.context.db, { lines: LINES, videoId });
});

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each caller knows its response
async function call<Data>(body: object): Promise<{ data: Data; message: string | undefined }> {
  const { data, error } = await server.client.functions.invoke<Data>("transcripts", { body });
  if (!error) return { data: data!, message: undefined };
  const problem = (await (error.context as Response).json()) as { error: string };
  return { data: undefined as never, message: problem.error };
}

const list = async (request: object) => {
  const { data, total } = (await call<TranscriptsResponse>({ action: "list", ...request })).data;
  return [total, data.map(({ name }) => name)];
};
const read = async () => (await call<{ data: WholeTranscript }>({ action: "read", id })).data.data;
const update = (revision: number, lines: unknown) =>
  call<{ data: WholeTranscript }>({ action: "update", id, revision, lines });
const line = (...words: [text: string, startSeconds: number, endSeconds: number][]): TranscriptLine => ({
  startSeconds: words[0]![1],
  endSeconds: words.at(-1)![2],
  words: words.map(([text, startSeconds, endSeconds]) => ({ text, startSeconds, endSeconds })),
});

describe("transcripts", () => {
  it("are listed by job and by video, a page at a time", async () => {
    await addTranscript(server.context.db, { name: "other.mp4" });
    expect(await list({})).toEqual([2, ["other.mp4", "talk.mp4"]]);
    expect(await list({ limit: 1, page: 2 })).toEqual([2, ["talk.mp4"]]);
    expect(await list({ job_id: jobId })).toEqual([1, ["talk.mp4"]]);
    expect(await list({ video_id: videoId })).toEqual([1, ["talk.mp4"]]);
    expect(await list({ video_id: randomUUID() })).toEqual([0, []]);
  });

  it("have their lines, the videos that use them, and an address that plays their source", async () => {
    const transcript = await read();
    expect(transcript).toMatchObject({
      ...{ lines: LINES, revision: 0, language: "en", origin: "server", line_count: 1, duration_seconds: 60 },
      videos: [{ job_id: jobId, job_name: "A talk", video_id: videoId, position: 0 }],
    });
    expect(transcript.media_url).toMatch(/^\/downloads\/transcripts\/.*signature=/);
  });

  it("are corrected, and tidied", async () => {
    const changed = [
      line(["new york.", 5, 6]),
      { ...line(["Hello  ", 1.00049, 1.5]), startSeconds: 0.5, endSeconds: 1 },
    ];
    const { data } = await update(0, changed);
    expect(data.data).toMatchObject({ revision: 1, line_count: 2 });
    expect(data.data.edited_at).not.toBeNull();
    expect(data.data.lines).toEqual([
      { ...line(["Hello", 1, 1.5]), startSeconds: 0.5 },
      line(["new ", 5, 5.333], ["york.", 5.444, 6]),
    ]);
  });

  it("never lose someone else's change", async () => {
    await update(0, [line(["First.", 1, 2])]);
    const { message } = await update(0, [line(["Second.", 1, 2])]);
    expect(message).toContain("Someone else has changed this transcript. Your changes were not saved.");
    expect((await read()).lines[0]!.words[0]!.text).toBe("First.");
    const both = await Promise.all(["A", "B"].map((text) => update(1, [line([text, 1, 2])])));
    expect(both.filter(({ message }) => message === undefined)).toHaveLength(1);
  });

  it.each([
    [[{ startSeconds: 0, endSeconds: 1, words: [] }], "A line can't be empty. Delete the line instead."],
    [[line([" ", 1, 2])], "A word can't be empty. Delete the word instead."],
    [[line(["a".repeat(201), 1, 2])], "A word can have at most 200 characters."],
    [[line(["Backwards", 2, 1])], "A word ends before it starts."],
    [Array.from({ length: 20_001 }, () => line(["a", 1, 2])), "A transcript can have at most 20,000 lines."],
  ])("reject lines that cannot be shown: %#", async (lines, sentence) => {
    expect((await update(0, lines)).message).toBe(sentence);
  });

  it.each([
    ["srt", "1\n00:00:01,000 --> 00:00:02,500\nhello there.\n"],
    ["vtt", "WEBVTT\n\n00:00:01.000 --> 00:00:02.500\n<00:00:01.200>hello <00:00:01.800>there.\n"],
    ["ass", "Dialogue: 0,0:00:01.00,0:00:02.50,Default,,0,0,0,,{\\k20}{\\k60}hello {\\k70}there.\n"],
    ["txt", "hello there.\n"],
  ])("are exported as %s, without hidden words", async (format, text) => {
    const { data } = await call<ExportedTranscript>({ action: "export", id, format });
    expect(data.name).toBe(`talk.${format}`);
    expect(data.text.endsWith(text)).toBe(true);
  });

  it("are deleted when no job has used them for 90 days, unless they were corrected", async () => {
    const { db } = server.context;
    const [unused, corrected] = [await addTranscript(db), await addTranscript(db)];
    await call({ action: "update", id: corrected, revision: 0, lines: LINES });
    await deleteOldTranscripts(server.context, new Date(Date.now() + 89 * DAY_MS));
    const ids = async () => (await db.selectFrom("transcripts").select("id").execute()).map((row) => row.id);
    expect(await ids()).toHaveLength(3);
    await deleteOldTranscripts(server.context, new Date(Date.now() + 91 * DAY_MS));
    expect((await ids()).toSorted()).toEqual([id, corrected].toSorted());
    expect(await ids()).not.toContain(unused);
  });

  it("cannot be deleted while an unfinished job uses them", async () => {
    expect((await call({ action: "delete", id })).message).toBe(
      "An unfinished job uses this transcript. Delete the transcript after the job has ended.",
    );
    await server.context.db.deleteFrom("transcript_uses").execute();
    expect((await call({ action: "delete", id })).data).toEqual({ success: true });
    expect((await call({ action: "read", id })).message).toBe("This transcript no longer exists.");
  });
});
