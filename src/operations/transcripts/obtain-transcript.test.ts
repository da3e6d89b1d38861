import { type KyselyPlugin, sql } from "kysely";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createJob } from "#operations/jobs/create/create-job.ts";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { openTestContext } from "#tests/support/test-context.ts";
import type { ActorContext } from "../audit/write-audit.ts";
import type { Context } from "../context.ts";
import { keepFileTranscript, obtainTranscript, type TranscriptUse } from "./obtain-transcript.ts";
import { claimTranscript, endTranscript } from "./transcript-task.ts";

const folder = await makeScratchFolder();
const LINES = [{ startSeconds: 0, endSeconds: 1, words: [{ text: "Hello", startSeconds: 0, endSeconds: 1 }] }];
const LINKS = ["first", "second"].map((id) => `https://drive.google.com/file/d/${id}/view`);

let stack: AsyncDisposableStack;
let context: Context & ActorContext;
let uses: TranscriptUse[];

/** Two videos with the same content. */
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  ({ context } = await openTestContext(stack, folder));
  const { id: jobId } = await createJob(context, { job_name: "A job", input_videos: LINKS }, null);
  const videos = context.db.selectFrom("job_videos").select("id").where("job_id", "=", jobId).orderBy("position");
  uses = (await videos.execute()).map(({ id: videoId }, i) => {
    return { jobId, videoId, clip: 0, content: "c0de", name: `${i}.mp4`, link: LINKS[i]!, durationSeconds: 5 + i / 10 };
  });
});
afterEach(() => stack.disposeAsync());

const readRow = () => context.db.selectFrom("transcripts").selectAll().executeTakeFirstOrThrow();
const forget = () => context.db.deleteFrom("transcripts").execute();

it("requests a failed transcript again by the link of the video that needs it now", async () => {
  const [first, second] = uses;
  await obtainTranscript(context, first!);
  const { id: taskId } = await readRow();
  const failed = { status: "Failed", reason: "The file is gone." } as const;
  await endTranscript(context, { taskId, attempt: 1 }, failed);
  await sql`update pgboss.job set state = 'completed' where id = ${taskId}`.execute(context.db);
  expect(await obtainTranscript(context, second!)).toBeNull();
  expect(await readRow()).toMatchObject({
    ...{ id: taskId, status: "Queued", request: 2 },
    ...{ link: second!.link, name: second!.name, duration_seconds: second!.durationSeconds },
  });
  const claimed = await claimTranscript(context, { taskId, jobId: first!.jobId }, 1, "openai");
  expect(claimed).toMatchObject({ link: second!.link });
});

it("returns only the lines and their language, from speech and from a file", async () => {
  const [use] = uses;
  await obtainTranscript(context, use!);
  const { id: taskId } = await readRow();
  const end = { status: "Completed", origin: "server", lines: LINES, language: "en" } as const;
  await endTranscript(context, { taskId, attempt: 0 }, end);
  expect(await obtainTranscript(context, use!)).toEqual({ lines: LINES, language: "en" });
  await forget();
  expect(await keepFileTranscript(context, use!, async () => LINES)).toEqual({ lines: LINES, language: null });
});

it("reads the file again if its transcript is deleted before it is used", async () => {
  const [use] = uses;
  let reads = 0;
  const read = async () => {
    reads += 1;
    return LINES;
  };
  await keepFileTranscript(context, use!, read);
  let isFound = false;
  const deletedWhenFound: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!isFound) await forget();
      isFound = true;
      return result;
    },
  };
  const late = keepFileTranscript({ db: context.db.withPlugin(deletedWhenFound) }, use!, read);
  await expect(late).rejects.toMatchObject({ code: "unavailable" });
  expect(reads).toBe(1);
  expect(await keepFileTranscript(context, use!, read)).toEqual({ lines: LINES, language: null });
  expect([reads, (await readRow()).lines]).toEqual([2, LINES]);
});
