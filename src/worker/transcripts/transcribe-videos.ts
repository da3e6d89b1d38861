import { ClipmillError } from "#contract/errors.ts";
import { createHostRecords } from "#operations/hosts/host-records.ts";
import { createSourceReader } from "#operations/sources/source-reader.ts";
import {
  claimTranscript,
  endLostTranscript,
  endTranscript,
  findStoppedTranscripts,
  postponeTranscript,
  recordTranscriptStage,
} from "#operations/transcripts/transcript-task.ts";
import { type ModelAccess, readModelAccess, readModelHost } from "#operations/settings/model-access.ts";
import { promptOf } from "#operations/transcripts/transcript-names.ts";
import type { Claimed, TranscriptTask } from "#queue/open-queue.ts";
import type { PauseReasons } from "../fleet/pause-reasons.ts";
import type { Contact } from "#operations/hosts/contact-host.ts";
import { runAttempt } from "../run-attempt.ts";
import { fetchVideo } from "../sources/fetch-source.ts";
import { probeSource } from "../sources/probe-source.ts";
import { makeScratch } from "../sources/scratch.ts";
import { contentOf } from "../sources/source-cache.ts";
import { type TaskWork, workOnTasks } from "../work-on-tasks.ts";
import type { WorkerContext } from "../worker-context.ts";
import { recognizeWords } from "./recognize-words.ts";

/** In this worker. Each mostly waits for the network. */
const MAX_AT_ONCE = 3;
/** A different file behind the same link usually has another length. */
const SAME_LENGTH_SECONDS = 0.5;
const NOT_SET_UP = "Transcription is not set up. Enter an OpenAI key or a transcription server in Settings.";

/** Videos of a job wait for their transcripts, which are made in their own slots. */
export function workOnTranscripts(worker: WorkerContext, pause: PauseReasons): Promise<TaskWork<TranscriptTask>> {
  const { context } = worker;
  return workOnTasks(worker, pause, {
    queue: context.queue.transcripts,
    concurrency: MAX_AT_ONCE,
    cancelIdOf: (task) => task.jobId,
    findStopped: (tasks) => findStoppedTranscripts(context, tasks),
    runAttempt: (task, cancelSignal) => transcribeVideo(worker, task, cancelSignal),
    endLost: (lost) => endLostTranscript(context, lost),
  });
}

/** Rejects like runAttempt. */
async function transcribeVideo(
  worker: WorkerContext,
  task: Claimed<TranscriptTask>,
  cancelSignal: AbortSignal,
): Promise<void> {
  const { context } = worker;
  const { taskId, jobId, attempt } = task;
  const attemptRef = { taskId, attempt };
  await runAttempt(worker, task, cancelSignal, {
    hosts: createHostRecords(worker, taskId),
    facts: { jobId, transcriptId: taskId },
    noun: "transcript",
    claim: async () => claimTranscript(context, task, attempt, await readModelHost(context, "transcription")),
    waitingSince: ({ waiting_since: since }) => since,
    make: async ({ link, content, duration_seconds: seconds }, { signal, contact }) => {
      const access = await readModelAccess(context, "transcription");
      if (!access) throw new ClipmillError("not_transcribed", NOT_SET_UP);
      const model = access.model ?? (await findModel(access, signal, contact));
      const recognizer = { ...access, model, prompt: await promptOf(context) };
      await using scratch = await makeScratch(worker.scratchRoot, taskId);
      const { folder } = scratch;
      const fetched = await worker.prefetcher.foreground(() =>
        fetchVideo({ ...worker, reader: createSourceReader(context) }, link, { jobId, folder, signal, contact }),
      );
      const file = await probeSource(worker, { signal, folder }, "video", fetched);
      const isSameLength = Math.abs(file.probe.durationSeconds - seconds) < SAME_LENGTH_SECONDS;
      // Those of workers without the database have a prefix.
      if (!content.endsWith(contentOf(fetched)) && !isSameLength)
        throw new ClipmillError("not_transcribed", "The file behind this link has changed. Retry the video.");
      const note = (progress: number) => recordTranscriptStage(context, attemptRef, "Listening", progress);
      await note(0);
      // Awaited, to keep the scratch folder until then.
      return await recognizeWords(worker, file, recognizer, {
        ...{ folder, signal, contact },
        onPart: (share) => note(Math.floor(99 * share)),
      });
    },
    complete: async ({ lines, language }) => {
      await endTranscript(context, attemptRef, { status: "Completed", origin: "server", lines, language });
      return { lines: lines.length, language };
    },
    cancel: () => endTranscript(context, attemptRef, { status: "Cancelled" }),
    postpone: (failure, wait) => postponeTranscript(context, task, failure, wait),
    fail: ({ message }) => endTranscript(context, attemptRef, { status: "Failed", reason: message }),
  });
}

async function findModel(access: ModelAccess, signal: AbortSignal, contact: Contact): Promise<string> {
  const { findWordModel } = await import("#integrations/openai/transcribe-words.ts");
  return await contact(access.host, async (onResponse) => {
    const model = await findWordModel(access, signal);
    onResponse();
    return model;
  });
}
