import { ClipmillError } from "#contract/errors.ts";
import type { ModelServer, TokenUsage } from "#integrations/openai/openai.ts";
import { probeStraight } from "#media/health/straighten-clock.ts";
import { requireVideo } from "#media/render/required-streams.ts";
import { extractSpeech } from "#media/speech/speech-sound.ts";
import { extractSceneFrames } from "#media/stills/scene-frames.ts";
import {
  claimCaptionTask,
  endCaptionTask,
  endLostCaptionTask,
  findStoppedCaptionTasks,
  postponeCaptionTask,
  recordCaptionStage,
  writeVideoCaption,
} from "#operations/captions/batches/change-caption-task.ts";
import { requireCaptionModel } from "#operations/captions/generate-captions.ts";
import { createHostRecords } from "#operations/hosts/host-records.ts";
import { readModelAccess, readModelHost } from "#operations/settings/model-access.ts";
import { createSourceReader } from "#operations/sources/source-reader.ts";
import { readSpokenText } from "#operations/transcripts/spoken-text.ts";
import { listNames, promptOf } from "#operations/transcripts/transcript-names.ts";
import type { CaptionTask, ClaimedCaptionTask } from "#queue/open-queue.ts";
import type { PauseReasons } from "../fleet/pause-reasons.ts";
import type { Contact } from "#operations/hosts/contact-host.ts";
import { runAttempt } from "../run-attempt.ts";
import { fetchVideo } from "../sources/fetch-source.ts";
import { makeScratch } from "../sources/scratch.ts";
import { contentOf } from "../sources/source-cache.ts";
import { type TaskWork, workOnTasks } from "../work-on-tasks.ts";
import type { WorkerContext } from "../worker-context.ts";

/** In this worker. */
const MAX_AT_ONCE = 4;

/** Up to four per batch across all workers. */
export function workOnCaptions(worker: WorkerContext, pause: PauseReasons): Promise<TaskWork<CaptionTask>> {
  const { context } = worker;
  return workOnTasks(worker, pause, {
    queue: context.queue.captions,
    concurrency: MAX_AT_ONCE,
    cancelIdOf: (task) => task.batchId,
    findStopped: (tasks) => findStoppedCaptionTasks(context, tasks),
    runAttempt: (task, cancelSignal) => captionVideo(worker, task, cancelSignal),
    endLost: (lost, reason) => endLostCaptionTask(context, lost, reason),
  });
}

/** Frees the slot of a stuck video. */
const MAX_ATTEMPT_MS = 30 * 60_000;
const TOO_SLOW = "Writing a caption for this video took longer than 30 minutes.";

/** Rejects like runAttempt. */
async function captionVideo(worker: WorkerContext, task: ClaimedCaptionTask, cancelSignal: AbortSignal): Promise<void> {
  const { context } = worker;
  const { batchId, taskId, attempt } = task;
  const attemptRef = { taskId, attempt };
  await runAttempt(worker, task, cancelSignal, {
    hosts: createHostRecords(worker, taskId),
    facts: { batchId, taskId },
    noun: "caption",
    limit: { ms: MAX_ATTEMPT_MS, exceeded: new ClipmillError("unavailable", TOO_SLOW) },
    claim: async () => claimCaptionTask(context, task, attempt, [await readModelHost(context, "vision")]),
    waitingSince: (claimed) => claimed.waiting_since,
    make: ({ link }, { signal, contact }) => writeCaption(worker, { ...task, link, signal, contact }),
    complete: async ({ caption, use }) => {
      await endCaptionTask(context, attemptRef, { caption });
      return use;
    },
    // The cancel has already ended the batch's videos.
    cancel: async () => {},
    postpone: (failure, wait) => postponeCaptionTask(context, task, failure, wait),
    fail: ({ message }) => endCaptionTask(context, attemptRef, { reason: message }),
  });
}

type Attempt = ClaimedCaptionTask & { link: string; signal: AbortSignal; contact: Contact };

async function writeCaption(worker: WorkerContext, attempt: Attempt): Promise<{ caption: string; use: TokenUsage }> {
  const { link, batchId, signal, contact } = attempt;
  const { tools, context } = worker;
  const access = await requireCaptionModel(context, "vision");
  // First, so that a rejected key costs no download.
  await contact(access.host, async (onResponse) => {
    const { listModels } = await import("#integrations/openai/openai.ts");
    await listModels(access, signal);
    onResponse();
  });
  await using scratch = await makeScratch(worker.scratchRoot, attempt.taskId);
  const { folder } = scratch;
  const fetching = { jobId: batchId, folder, signal, contact };
  const source = await worker.prefetcher.foreground(() =>
    fetchVideo({ ...worker, reader: createSourceReader(context) }, link, fetching),
  );
  const note = (stage: "Watching" | "Listening" | "Writing") =>
    recordCaptionStage(context, { taskId: attempt.taskId, attempt: attempt.attempt }, stage, source.name);
  await note("Watching");
  const { path, probe: found } = await probeStraight(tools, source.path, { folder, signal });
  const video = { path, probe: { ...found, video: requireVideo(found) } };
  const pictures = await extractSceneFrames(tools, video, { folder, signal });
  let transcript = await readSpokenText(context, contentOf(source));
  const recognizer = transcript === null ? await findRecognizer(worker, signal) : null;
  if (recognizer !== null) {
    await note("Listening");
    const sound = await extractSpeech(tools, video, { folder, signal });
    if (sound) transcript = await transcribeSound(worker, recognizer, sound, signal);
  }
  await note("Writing");
  const names = await listNames(context);
  // Awaited, to keep the scratch folder until then.
  return await contact(access.host, async (onResponse) => {
    const shown = { pictures, transcript: transcript ?? "", names, seconds: found.durationSeconds };
    const written = await writeVideoCaption(access, shown, signal);
    onResponse();
    return written;
  });
}

type Recognizer = { server: ModelServer; model: string };

/** Returns null without a model, as on a server without a list, and on failure: the transcript is optional. */
function findRecognizer(worker: WorkerContext, signal: AbortSignal): Promise<Recognizer | null> {
  return optional(worker, signal, async () => {
    const { listModels } = await import("#integrations/openai/openai.ts");
    const { pickTranscriptionModel } = await import("#integrations/openai/openai-transcription.ts");
    const server = await readModelAccess(worker.context, "transcription");
    const model = server && (server.model ?? pickTranscriptionModel((await listModels(server, signal)) ?? []));
    return server && model !== null ? { server, model } : null;
  });
}

/** Returns null on failure. */
function transcribeSound(
  worker: WorkerContext,
  { server, model }: Recognizer,
  sound: Buffer,
  signal: AbortSignal,
): Promise<string | null> {
  return optional(worker, signal, async () => {
    const { transcribe } = await import("#integrations/openai/openai-transcription.ts");
    return await transcribe(server, { sound, model, prompt: await promptOf(worker.context) }, signal);
  });
}

async function optional<Result>(
  { log }: Pick<WorkerContext, "log">,
  signal: AbortSignal,
  run: () => Promise<Result>,
): Promise<Result | null> {
  try {
    return await run();
  } catch (error) {
    signal.throwIfAborted();
    log.warn({ err: error }, "could not transcribe a video's sound");
    return null;
  }
}
