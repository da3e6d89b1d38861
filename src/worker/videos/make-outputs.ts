import { nameWithoutExtension } from "#contract/clean-name.ts";
import type { Assignment } from "#contract/jobs/outputs/assignment.ts";
import { ClipmillError, detailsOf, inStep } from "#contract/errors.ts";
import { type NamedOutput, nameOutput, nameValuesOf } from "#contract/jobs/outputs/output-name.ts";
import { captionsOf, choiceOf, languageOfFile, trackLinksOf } from "#contract/jobs/video-settings.ts";
import { runStep } from "#ground/tracing/run-step.ts";
import { inSpan } from "#ground/tracing/tracing.ts";
import { DiskTooSmall } from "#media/free-space.ts";
import { estimateCost } from "#media/plan/estimate-cost.ts";
import { planRender } from "#media/plan/plan-render.ts";
import type { Timeline } from "#media/plan/render-plan.ts";
import { withChunks } from "#media/plan/chunks/with-chunks.ts";
import { type RenderOptions, type RenderRequest, renderOutputs } from "#media/render/render.ts";
import type { PendingOutput } from "#operations/jobs/create/plan-outputs.ts";
import { HostCoolsDown } from "#operations/hosts/contact-host.ts";
import { fetchImage, fetchTrack, fetchVideo } from "../sources/fetch-source.ts";
import type { Sharing } from "../runs/sharing.ts";
import type { Attempt } from "./attempt.ts";
import { createProgressReporter } from "./progress-reporter.ts";
import { type Clip, clipsOf } from "#operations/jobs/videos/clips-of-video.ts";
import { assignWanted, imagesOf, nameFailure, placeOf, toRenderRequests } from "./plan-video.ts";
import { type ProbedSource, probeSource } from "../sources/probe-source.ts";
import { attemptSuperseded, storeFile, takeStoredFile } from "./store-file.ts";
import { retryUntilWritten } from "#operations/attempts/retry-until-written.ts";
import type { VideoWorker } from "../worker-context.ts";
import { translateCaptions } from "./translate-captions.ts";
import { withEvenLoudness } from "./with-even-loudness.ts";
import { withFaces } from "./with-faces.ts";
import { withoutSilences } from "./without-silences.ts";
import { obtainTranscripts, withSubtitles } from "./with-subtitles.ts";

type Track = ProbedSource | { failure: ClipmillError };

/** By output id, in output order. */
type OutputFailures = ReadonlyMap<string, ClipmillError>;

/** `share` is the part of the video's outputs that was wanted: below 1 for samples only. */
export type MadeOutputs = { failures: OutputFailures; share: number };

/**
 * Makes the wanted outputs that are not stored yet. Returns the errors of outputs with an unusable track or sound.
 * Throws ClipmillError if the video itself fails; stored outputs remain.
 */
export function makeOutputs(worker: VideoWorker, attempt: Attempt): Promise<MadeOutputs> {
  // Anything outside the inner steps counts as planning.
  return inStep("plan", () => makePlanned(worker, attempt));
}

async function makePlanned(worker: VideoWorker, attempt: Attempt): Promise<MadeOutputs> {
  const { job, video } = attempt;
  const captions = captionsOf(job);
  const clips = clipsOf(attempt);
  const links = trackLinksOf(job);
  const images = new Map<string, string>();
  for (const [link, name] of imagesOf(job, video.row_pass ?? {})) {
    images.set(link, await runStep("fetch", () => fetchImage(worker, link, name, fetchingOf(attempt))));
  }
  const sources: ProbedSource[] = [];
  for (const { name, link } of clips) sources.push(await obtainVideo(worker, attempt, name, link));
  const probes = sources.map(({ probe }) => probe);
  const transcripts = await obtainTranscripts(worker, attempt, clips, sources);
  const { wanted: assignments, count, seconds } = assignWanted(attempt, probes);
  const translate = await translateCaptions(attempt, clips, assignments);
  const tracks = await fetchTracks(worker, attempt, links, assignments);
  const intro = job.intro_link === null ? null : await obtainVideo(worker, attempt, "Intro", job.intro_link);
  const outro = job.outro_link === null ? null : await obtainVideo(worker, attempt, "End card", job.outro_link);
  const facts = {
    name: sources.map(({ name }) => name).join(" + "),
    durationSeconds: seconds,
    pass: passOf(clips, sources),
  };
  const source = sources.map(({ name }) => nameWithoutExtension(name)).join("-");
  const textsOf = ({ variant, captionIndex, trackIndex }: Assignment) => ({
    caption:
      captionsShown(clips, choiceOf(job, variant), captionIndex === null ? null : captions[captionIndex]!)
        .map((caption) => translate(caption, languageOfFile(job, variant)))
        .join(" / ") || null,
    track: trackIndex === null ? null : trackName(tracks.get(trackIndex), links[trackIndex]!),
  });
  const named = (output: Assignment): NamedOutput => ({
    job,
    video: { ...video, row_pass: facts.pass ?? video.row_pass },
    ...{ source, ...output, ...textsOf(output) },
  });
  worker.onSourcesReady?.();
  const planned = assignments.map((output) => ({
    variant: output.variant,
    segment: output.segment,
    ...textsOf(output),
    ...nameOutput(named(output)),
    trackLink: output.trackIndex === null ? null : links[output.trackIndex]!,
    window: output.window ?? { startSeconds: 0, endSeconds: seconds },
  }));
  const playable = new Map([...tracks].filter((entry): entry is [number, ProbedSource] => "probe" in entry[1]));
  const uncut = toRenderRequests(attempt, {
    clips: sources as [ProbedSource, ...ProbedSource[]],
    names: sources.map(({ name }) => nameWithoutExtension(name)),
    ...{ intro, outro, tracks: playable, images, translate, assignments },
    valuesOf: (output) => nameValuesOf(named(output)),
  });
  const requests: RenderRequest[] = [];
  const pending = await inSpan("plan", async () => {
    for (const whole of uncut) {
      const request = await withFaces(worker, attempt, whole);
      const leveled = await withEvenLoudness(
        worker,
        attempt,
        await withoutSilences(worker, attempt, request, transcripts),
      );
      requests.push(withChunks(await withSubtitles(worker, attempt, leveled, transcripts)));
    }
    const minutes = requests.reduce((sum, request) => sum + estimateCost(planRender(request)), 0);
    return await retryUntilWritten(attempt.signal, () => attempt.records.plan(facts, planned, minutes));
  });
  if (!pending) throw attemptSuperseded();
  const around = [job.intro_link, job.outro_link].filter((link) => link !== null);
  await using sharing = worker.openSharing(attempt, [...clips.map(({ link }) => link), ...around]);
  const failedOutputs = new Map<string, ClipmillError>();
  let made = assignments.length - pending.length;
  for (const request of requests) {
    const places = new Set(request.outputs.map(({ key }) => key));
    const own = pending.filter((output) => places.has(placeOf(output)));
    const toShare = (share: number) => (made + share * own.length) / count;
    const isLast = request === requests.at(-1);
    const failed = await render(worker, attempt, request, { pending: own, toShare, isLast, sharing });
    for (const failure of failed) failedOutputs.set(...failure);
    made += own.length;
  }
  const byPlace = new Map(pending.map((output) => [placeOf(output), output.id]));
  const failures = new Map<string, ClipmillError>();
  for (const output of assignments) {
    const id = byPlace.get(placeOf(output));
    if (id === undefined) continue;
    const { trackIndex } = output;
    const track = trackIndex === null ? undefined : tracks.get(trackIndex);
    const failed = failedOutputs.get(id);
    if (track && "failure" in track) failures.set(id, track.failure);
    else if (failed) {
      const isOfTrack = trackIndex !== null && failed.code !== "too_large";
      failures.set(id, isOfTrack ? nameTrack(failed, trackIndex) : failed);
    }
  }
  return { failures, share: assignments.length / count };
}

/**
 * Returns the errors of outputs that could not be made, by their id. `toShare` converts progress of the pending outputs to the video's,
 * both 0-1.
 */
async function render(
  worker: VideoWorker,
  attempt: Attempt,
  request: RenderRequest,
  {
    pending,
    toShare,
    isLast,
    sharing,
  }: {
    pending: PendingOutput[];
    toShare: (share: number) => number;
    isLast: boolean;
    sharing: Sharing;
  },
): Promise<OutputFailures> {
  const { job, records } = attempt;
  const byPlace = new Map(pending.map((output) => [placeOf(output), output]));
  const outputs = request.outputs.flatMap((output) => {
    const row = byPlace.get(output.key);
    return row ? [{ ...output, key: row.id }] : [];
  });
  if (outputs.length === 0) return new Map();
  const reporter = createProgressReporter(records);
  const startedMs = performance.now();
  const mediaSeconds = outputs.reduce((sum, output) => sum + lengthOf(output, request.sources), 0);
  let shareBefore = 0;
  const names = new Map(pending.map((output) => [output.id, output.name]));
  try {
    const options: RenderOptions = {
      tools: worker.tools,
      drawer: worker.drawer,
      scratchFolder: attempt.folder,
      streamCache: worker.streams,
      encoderSlots: worker.encoderSlots,
      shareRuns: sharing.shareRuns,
      signal: attempt.signal,
      onProgress: ({ share, byOutput }) => {
        worker.speedometer?.made(Math.max(share - shareBefore, 0) * mediaSeconds);
        shareBefore = Math.max(share, shareBefore);
        reporter.report({ stage: "Rendering", share: toShare(share), outputs: byOutput });
      },
      // Another format needs the encoders, too.
      onPicturesReady: isLast ? worker.onPicturesReady : undefined,
      onOutput: (file) => runStep("store", () => storeFile(worker, attempt, file, names.get(file.keys[0]!)!)),
      // Only a changed job has earlier files.
      takeStored:
        job.proof_state === null
          ? undefined
          : (key, ids) => takeStoredFile(attempt, key, { ids, maxBytes: request.maxBytes ?? Infinity }),
    };
    return await inSpan("render", () => inStep("encode", () => renderOutputs({ ...request, outputs }, options)), {
      outputs: outputs.length,
    });
  } catch (error) {
    if (error instanceof DiskTooSmall && (await records.hasOtherWorkers())) {
      // Waits until a worker with a larger disk takes it.
      throw new ClipmillError("no_space", error.message, detailsOf(error));
    }
    throw error;
  } finally {
    await reporter.settle();
    worker.figures?.rendered((performance.now() - startedMs) / 1000);
  }
}

/** Errors name the clip, unless it is the only one. */
async function obtainVideo(
  worker: VideoWorker,
  attempt: Attempt,
  name: string | null,
  link: string,
): Promise<ProbedSource> {
  try {
    const fetched = await runStep("fetch", () =>
      worker.prefetcher.foreground(() => fetchVideo(worker, link, fetchingOf(attempt))),
    );
    return await probeSource(worker, attempt, "video", fetched);
  } catch (error) {
    if (!(error instanceof ClipmillError) || error.code === "cancelled" || error instanceof HostCoolsDown) throw error;
    throw nameFailure(name, error);
  }
}

/** File names by fields of name patterns; null for a video that is not assembled. */
function passOf(clips: readonly Clip[], sources: readonly ProbedSource[]): Record<string, string> | null {
  const named = clips.flatMap(({ field }, i) =>
    field === null ? [] : [[field, nameWithoutExtension(sources[i]!.name)]],
  );
  return named.length === 0 ? null : Object.fromEntries(named);
}

/** The job's caption if a part shows it, and those of slots. */
function captionsShown(clips: readonly Clip[], choice: number, ofJob: string | null): string[] {
  const own = clips.map(({ captionOf }) => captionOf(choice));
  return [own.includes(null) ? ofJob : null, ...own].filter((caption) => caption !== null);
}

/** A failed track affects only its own outputs. */
async function fetchTracks(
  worker: VideoWorker,
  attempt: Attempt,
  links: string[],
  outputs: Assignment[],
): Promise<Map<number, Track>> {
  const tracks = new Map<number, Track>();
  for (const { trackIndex } of outputs) {
    if (trackIndex !== null && !tracks.has(trackIndex))
      tracks.set(trackIndex, await fetchOneTrack(worker, attempt, links, trackIndex));
  }
  return tracks;
}

async function fetchOneTrack(
  worker: VideoWorker,
  attempt: Attempt,
  links: string[],
  trackIndex: number,
): Promise<Track> {
  try {
    const fetched = await runStep("fetch", () =>
      worker.prefetcher.foreground(() => fetchTrack(worker, links[trackIndex]!, fetchingOf(attempt))),
    );
    return await probeSource(worker, attempt, "music", fetched);
  } catch (error) {
    if (!(error instanceof ClipmillError) || error.code === "cancelled") throw error;
    if (error instanceof HostCoolsDown) return { failure: error };
    return { failure: nameTrack(error, trackIndex) };
  }
}

function nameTrack(error: ClipmillError, trackIndex: number): ClipmillError {
  return new ClipmillError(error.code, `Track ${trackIndex + 1}: ${error.message}`, detailsOf(error));
}

function fetchingOf({ job, folder, signal, contact }: Attempt) {
  return { jobId: job.id, folder, signal, contact };
}

function trackName(track: Track | undefined, link: string): string {
  return track && "probe" in track ? nameWithoutExtension(track.name) : link;
}

function lengthOf({ parts }: Timeline, sources: RenderRequest["sources"]): number {
  return parts.reduce((sum, { source, window, speed = 1 }) => {
    const { durationSeconds } = sources[source]!.probe;
    return sum + (window ? window.endSeconds - window.startSeconds : durationSeconds) / speed;
  }, 0);
}
