/** From assignments and probes to distinct pictures, distinct sounds, and outputs that join one of each. Pure. */
import type { Window } from "#contract/assignment.ts";
import type { Probe, VideoStream } from "../probe-report.ts";
import { requireVideo } from "../required-streams.ts";
import { type FrameRate, framesIn, outputFrameRate, secondsOf } from "./frame-rate.ts";
import type {
  Cut,
  PictureRun,
  PlannedOutput,
  PlannedPicture,
  PlannedSound,
  RenderPlan,
  RenderRequest,
  StreamOrigin,
} from "./render-plan.ts";

/** Encoders in one ffmpeg at most. Eight of 1080x1920 take 1.6 GB; larger pictures get fewer, so that memory stays about there. */
const PICTURES_PER_RUN = 8;
const PIXELS_PER_RUN = PICTURES_PER_RUN * 1_080 * 1_920;

/**
 * Plans the work for one video: each distinct picture and each distinct sound once, whatever the number of outputs that use
 * it. Throws ClipmillError "not_a_video" when the source has no picture.
 */
export function planRender(request: RenderRequest): RenderPlan {
  const video = requireVideo(request.source.probe);
  const frameRate = outputFrameRate(video.framesPerSecond);
  const [width, height] = [toEven(video.width), toEven(video.height)];
  const pictures = new Map<string, { cut: Cut; picture: PlannedPicture }>();
  const sounds = new Map<string, PlannedSound>();

  const outputs = request.outputs.map(({ key, assignment }): PlannedOutput => {
    const cut = layCut(assignment.window, request.source.probe.durationSeconds, frameRate);
    const caption = assignment.captionIndex === null ? null : (request.captions[assignment.captionIndex] ?? null);
    const isWholeAndBare = assignment.window === null && caption === null && request.watermark === null;
    const isPictureCopied = isWholeAndBare && isFitToShip(request.source.probe, video);
    return {
      key,
      seconds: isPictureCopied ? request.source.probe.durationSeconds : cut.seconds,
      picture: isPictureCopied ? { from: "source" } : planPicture(pictures, cut, caption),
      sound: planSound(sounds, request, cut, assignment.trackIndex, isPictureCopied),
    };
  });
  const pictureRuns = gatherRuns([...pictures.values()], width * height);
  return {
    width,
    height,
    frameRate,
    pictureRuns,
    sounds: [...sounds.values()],
    outputs: inOrderOfPictures(outputs, pictureRuns),
  };
}

/** Outputs in the order in which their pictures are made, so that none that is ready waits for one that is not. */
function inOrderOfPictures(outputs: PlannedOutput[], runs: PictureRun[]): PlannedOutput[] {
  const runOf = new Map(runs.flatMap(({ pictures }, i) => pictures.map(({ id }) => [id, i] as const)));
  const placeOf = ({ picture }: PlannedOutput) => (picture.from === "encoded" ? (runOf.get(picture.id) ?? 0) : -1);
  return outputs.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** Rounds a window to whole frames, so that consecutive clips neither repeat nor lose one. */
function layCut(window: Window | null, durationSeconds: number, rate: FrameRate): Cut {
  const { startSeconds, endSeconds } = window ?? { startSeconds: 0, endSeconds: durationSeconds };
  const firstFrame = framesIn(startSeconds, rate);
  const frames = Math.max(1, framesIn(endSeconds, rate) - firstFrame);
  return {
    startSeconds: secondsOf(firstFrame, rate),
    seconds: secondsOf(frames, rate),
    frames,
    isCutAtStart: firstFrame > 0,
    isCutAtEnd: firstFrame + frames < framesIn(durationSeconds, rate),
  };
}

/** True when the source's picture can be delivered as it is. */
function isFitToShip(probe: Probe, video: VideoStream): boolean {
  return (
    /\b(mov|matroska)\b/.test(probe.formatName) &&
    video.codec === "h264" &&
    video.pixelFormat === "yuv420p" &&
    video.hasSquarePixels &&
    video.rotation === 0 &&
    video.width % 2 === 0 &&
    video.height % 2 === 0 &&
    video.framesPerSecond <= 60.5 &&
    !video.isHdr &&
    !video.isInterlaced &&
    video.startsWithKeyFrame
  );
}

/** True when the source's sound is what we would make of it. */
function isSoundFitToShip(probe: Probe): boolean {
  const { audio } = probe;
  return audio?.codec === "aac" && audio.profile === "LC" && audio.sampleRate === 48_000 && audio.channels === 2;
}

function planPicture(
  pictures: Map<string, { cut: Cut; picture: PlannedPicture }>,
  cut: Cut,
  caption: string | null,
): { from: "encoded"; id: string } {
  const identity = JSON.stringify([cut.startSeconds, cut.frames, caption]);
  const known = pictures.get(identity) ?? { cut, picture: { id: `picture-${pictures.size}`, caption } };
  pictures.set(identity, known);
  return { from: "encoded", id: known.picture.id };
}

function planSound(
  sounds: Map<string, PlannedSound>,
  request: RenderRequest,
  cut: Cut,
  trackIndex: number | null,
  isPictureCopied: boolean,
): StreamOrigin {
  if (trackIndex === null) {
    if (!request.source.probe.audio) return { from: "nothing" };
    if (isPictureCopied && isSoundFitToShip(request.source.probe)) return { from: "source" };
  }
  const track = trackIndex === null ? null : request.tracks[trackIndex]?.path;
  const identity = JSON.stringify([cut.startSeconds, cut.frames, track]);
  const known = sounds.get(identity) ?? { id: `sound-${sounds.size}`, cut, trackIndex };
  sounds.set(identity, known);
  return { from: "encoded", id: known.id };
}

/** Pictures of the same stretch share a decode, as many as memory allows. */
function gatherRuns(pictures: { cut: Cut; picture: PlannedPicture }[], pixels: number): PictureRun[] {
  const atOnce = Math.max(1, Math.min(PICTURES_PER_RUN, Math.floor(PIXELS_PER_RUN / pixels)));
  const byCut = Map.groupBy(pictures, ({ cut }) => `${cut.startSeconds}+${cut.frames}`);
  return [...byCut.values()].flatMap((sameCut) =>
    chunk(sameCut, atOnce).map((members) => ({
      cut: members[0]!.cut,
      pictures: members.map(({ picture }) => picture),
    })),
  );
}

function chunk<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

function toEven(pixels: number): number {
  return Math.max(2, pixels - (pixels % 2));
}
