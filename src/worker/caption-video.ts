/** The life of one video of a caption batch: fetch, look, listen, ask, report. */
import { ClipmillError } from "#contract/errors.ts";
import { listOpenAiModels, type OpenAiAccess, type TokenUse } from "#integrations/openai.ts";
import { pickTranscriptionModel, transcribe } from "#integrations/openai-transcription.ts";
import { probeStraight } from "#media/straighten-clock.ts";
import { requireVideo } from "#media/required-streams.ts";
import { takeSceneFrames } from "#media/scene-frames.ts";
import { takeSpeech } from "#media/speech-sound.ts";
import {
  claimCaptionTask,
  endCaptionTask,
  noteCaptionStage,
  postponeCaptionTask,
} from "#operations/captions/change-caption-task.ts";
import { openAiAccess } from "#operations/captions/openai-access.ts";
import { writeVideoCaption } from "#operations/captions/write-video-caption.ts";
import type { ClaimedCaptionTask } from "#queue/open-queue.ts";
import { type Contact, createContact } from "./contact-host.ts";
import { describeError } from "./describe-error.ts";
import { fetchVideo } from "./fetch-source.ts";
import { findWait } from "./own-wait.ts";
import { makeScratch } from "./scratch.ts";
import { untilWritten } from "./until-written.ts";
import type { WorkerContext } from "./worker-context.ts";

/** From the claim to the caption; a video that hangs gives its place to the next one. */
const LONGEST_ATTEMPT_MS = 30 * 60_000;
const TOO_SLOW = "Writing a caption for this video took longer than 30 minutes.";

/**
 * One attempt at one video. Rejects when the queue should try it again: a fault that may pass with attempts left, or a
 * worker that is stopping. A batch that is cancelled has ended its videos already.
 */
export async function captionVideo(
  worker: WorkerContext,
  task: ClaimedCaptionTask,
  cancelSignal: AbortSignal,
): Promise<void> {
  const claimed = await untilWritten(task.signal, () => claimCaptionTask(worker.context, task, task.attempt));
  if (!claimed) return;
  const log = worker.log.child({ batchId: task.batchId, taskId: task.taskId, attempt: task.attempt });
  const speaker = { taskId: task.taskId, attempt: task.attempt };
  const deadline = AbortSignal.timeout(LONGEST_ATTEMPT_MS);
  const signal = AbortSignal.any([task.signal, cancelSignal, deadline]);
  const contact = createContact(worker, { taskId: task.taskId, signal });
  try {
    const { caption, use } = await writeCaption(worker, { ...task, link: claimed.link, signal, contact });
    await untilWritten(task.signal, () => endCaptionTask(worker.context, speaker, { caption }));
    log.info({ ...use }, "caption written");
  } catch (error) {
    if (task.signal.aborted) throw error;
    if (cancelSignal.aborted) return;
    const fault = deadline.aborted
      ? new ClipmillError("unavailable", TOO_SLOW, { cause: error })
      : describeError(error);
    const { code, step, facts } = fault;
    log[code === "internal" ? "error" : "warn"]({ err: error, code, step, facts }, "no caption for this video");
    const nowMs = await untilWritten(task.signal, worker.readNow);
    const wait = findWait(fault, claimed.waiting_since, nowMs, worker.ownWaits);
    const postpone = () => postponeCaptionTask(worker.context, task, fault.message, wait);
    if ((wait || (fault.mayPass && task.isRetried)) && (await untilWritten(task.signal, postpone))) {
      if (wait) return;
      throw fault;
    }
    await untilWritten(task.signal, () => endCaptionTask(worker.context, speaker, { reason: fault.message }));
  }
}

type Attempt = ClaimedCaptionTask & { link: string; signal: AbortSignal; contact: Contact };

async function writeCaption(worker: WorkerContext, attempt: Attempt): Promise<{ caption: string; use: TokenUse }> {
  const { link, batchId, signal, contact } = attempt;
  const { tools, context } = worker;
  const access = await openAiAccess(context);
  // Asked first: a key that is refused costs no download.
  const transcriptionModel = await contact("openai", async (onAnswer) => {
    const model = await findTranscriptionModel(access, signal);
    onAnswer();
    return model;
  });
  await using scratch = await makeScratch(worker.scratchRoot, attempt.taskId);
  const { folder } = scratch;
  const source = await fetchVideo(worker, link, { jobId: batchId, folder, signal, contact });
  const note = (stage: "Watching" | "Listening" | "Writing") =>
    noteCaptionStage(context, { taskId: attempt.taskId, attempt: attempt.attempt }, stage, source.name);
  await note("Watching");
  const { path, probe: found } = await probeStraight(tools, source.path, { folder, signal });
  const video = { path, probe: { ...found, video: requireVideo(found) } };
  const pictures = await takeSceneFrames(tools, video, { folder, signal });
  let transcript = "";
  if (transcriptionModel !== null) {
    await note("Listening");
    const sound = await takeSpeech(tools, video, { folder, signal });
    if (sound) transcript = await listen(worker, access, { sound, model: transcriptionModel }, signal);
  }
  await note("Writing");
  // Awaited here, so that the scratch folder lasts until then.
  return await contact("openai", async (onAnswer) => {
    const written = await writeVideoCaption(access, { pictures, transcript, seconds: found.durationSeconds }, signal);
    onAnswer();
    return written;
  });
}

/** A server that lists no models offers no transcription; a key that it refuses is a fault. */
async function findTranscriptionModel(access: OpenAiAccess, signal: AbortSignal): Promise<string | null> {
  try {
    return pickTranscriptionModel(await listOpenAiModels(access, signal));
  } catch (error) {
    if (error instanceof ClipmillError && error.facts.status === 404) return null;
    throw error;
  }
}

/** What is said helps, but a caption does without it. */
async function listen(
  worker: WorkerContext,
  access: OpenAiAccess,
  sound: { sound: Buffer; model: string },
  signal: AbortSignal,
): Promise<string> {
  try {
    return await transcribe(access, sound, signal);
  } catch (error) {
    signal.throwIfAborted();
    worker.log.warn({ err: error }, "the sound of a video could not be transcribed");
    return "";
  }
}
