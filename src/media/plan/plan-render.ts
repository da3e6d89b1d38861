import type { Window } from "#contract/jobs/outputs/assignment.ts";
import type { StreamSettings } from "#contract/job-settings/job-settings.ts";
import { FORMAT_SIZES } from "#contract/jobs/outputs/formats.ts";
import { type Platform, PLATFORMS } from "#contract/jobs/outputs/platforms.ts";
import { hasDefaults } from "#contract/job-settings/setting-values.ts";
import type { Probe, VideoStream } from "../probe/probe-report.ts";
import { requireVideo } from "../render/required-streams.ts";
import { cutFootage, identityOf, showCaption } from "./cut-footage.ts";
import { type Size, type FrameRate, framesIn, outputFrameRate, secondsOf } from "./fit-size.ts";
import type {
  Cut,
  EncodedPicture,
  Footage,
  PlannedOutput,
  PlannedSound,
  PlannedStretch,
  RenderPlan,
  RenderRequest,
  SoundOrigin,
} from "./render-plan.ts";
import { keyframeFrames, soundKbps } from "./platform-encoding.ts";
import { isSourceAudible } from "./arguments/sound-arguments.ts";

export type FramePlan = Pick<
  RenderPlan,
  "width" | "height" | "framing" | "frameRate" | "offsetSeconds" | "keyframeFrames"
>;

/** Without settings, frames keep their size. Throws ClipmillError "not_a_video" without a picture. */
export function planFrames(source: Probe, settings?: StreamSettings<"framing">): FramePlan {
  const video = requireVideo(source);
  const frameRate = outputFrameRate(video.framesPerSecond);
  const { offsetSeconds } = video.timing;
  const own = { width: toEven(video.width), height: toEven(video.height) };
  const platform = settings?.platform ?? null;
  return {
    ...frameSize(own, settings),
    ...{ frameRate, offsetSeconds, keyframeFrames: keyframeFrames(platform, frameRate) },
  };
}

function frameSize(own: Size, settings?: StreamSettings<"framing">): Pick<FramePlan, "width" | "height" | "framing"> {
  if (!settings || settings.format === "source") return { ...own, framing: null };
  const { width, height } = FORMAT_SIZES[settings.format];
  if (own.width === width && own.height === height) return { ...own, framing: null };
  // The focus only affects a crop, and equal pictures must have equal keys.
  const isCropped = settings.fit === "crop";
  const [focusX, focusY] = isCropped ? [settings.fit_focus_x, settings.fit_focus_y] : [0.5, 0.5];
  return { width, height, framing: { fit: settings.fit, focusX, focusY } };
}

/** With replaced sound, the last frame is not held. */
export function playedSeconds({ durationSeconds, video }: Probe, isSoundReplaced: boolean): number {
  return isSoundReplaced && video ? durationSeconds - video.timing.heldSeconds : durationSeconds;
}

/**
 * Plans each distinct stretch and sound once. Throws ClipmillError "not_a_video" without a picture, and
 * "unsupported_codec" if an output needs the video's own sound, which cannot be decoded.
 */
export function planRender(request: RenderRequest): RenderPlan {
  const video = requireVideo(request.source.probe);
  const frames = planFrames(request.source.probe, request.settings);
  const pictures = new Map<string, Footage>();
  const sounds = new Map<string, PlannedSound>();

  const outputs = request.outputs.map(({ key, assignment }) => {
    const { window } = assignment;
    const caption = assignment.captionIndex === null ? null : (request.captions[assignment.captionIndex] ?? null);
    const isMarked = request.watermark !== null || Boolean(request.watermarkImage);
    const isWholeAndBare = window === null && caption === null && !isMarked;
    const mayCopy =
      isWholeAndBare &&
      frames.framing === null &&
      !request.isPictureNeverCopied &&
      hasDefaults(request.settings, "picture");
    const isPictureCopied = mayCopy && isFitToShip(request.source.probe, video);
    const isSoundReplaced = assignment.trackIndex !== null && request.settings.audio_mode === "replace";
    const seconds = playedSeconds(request.source.probe, isSoundReplaced && window === null);
    const offsetSeconds = isPictureCopied ? 0 : frames.offsetSeconds;
    const cut = layCut(window, { seconds, offsetSeconds }, frames.frameRate);
    const footage = isPictureCopied ? null : showCaption(cut, caption, request.settings, frames.frameRate);
    if (footage) pictures.set(identityOf(footage), footage);
    const sound = planSound(sounds, request, assignment.trackIndex, { cut, offsetSeconds, isPictureCopied });
    return {
      key,
      seconds: isPictureCopied ? seconds : cut.seconds,
      footage,
      lacksCaption: caption !== null && footage?.caption === null,
      sound,
      // Copied streams may start late, which requires edit lists.
      avoidsEditLists: !isPictureCopied && sound.from !== "source" && refusesEditLists(request.settings.platform),
    };
  });
  const { stretches, byPicture } = planStretches(pictures, mayCut(request, video) ? frames.frameRate : null);
  return {
    ...frames,
    soundKbps: soundKbps(request.settings.platform),
    stretches,
    sounds: [...sounds.values()],
    outputs: outputs.map(({ key, seconds, footage, sound, lacksCaption, avoidsEditLists }): PlannedOutput => {
      const picture = footage ? byPicture.get(identityOf(footage))! : { from: "source" as const };
      return { key, seconds, picture, sound, lacksCaption, avoidsEditLists };
    }),
  };
}

/** A picture with known losses stays in one piece, so that its damage is measured as one. */
function mayCut({ isPictureNeverCut = false }: RenderRequest, { losses }: VideoStream): boolean {
  return !isPictureNeverCut && losses.length === 0;
}

function planStretches(
  pictures: ReadonlyMap<string, Footage>,
  rate: FrameRate | null,
): { stretches: PlannedStretch[]; byPicture: Map<string, EncodedPicture> } {
  const known = new Map<string, PlannedStretch>();
  const all = [...pictures.values()];
  const pieces = rate ? cutFootage(all, rate) : all.map((picture) => [picture]);
  const afterSeams = new Set(pieces.flatMap(([, ...later]) => later.map(identityOf)));
  const byPicture = new Map<string, EncodedPicture>();
  for (const [i, identity] of [...pictures.keys()].entries()) {
    const stretches = pieces[i]!.map((piece) => knowStretch(known, piece, afterSeams));
    const captioned = stretches.find(({ caption }) => caption !== null);
    byPicture.set(identity, {
      from: "encoded",
      stretches: stretches.map(({ id }) => id),
      thumbnailOf: (captioned ?? stretches[0]!).id,
    });
  }
  return { stretches: [...known.values()], byPicture };
}

function refusesEditLists(platform: Platform | null): boolean {
  return platform !== null && PLATFORMS[platform].rules.refusesEditLists?.value === true;
}

/** Rounds to frames, so that consecutive clips neither repeat nor lose one. */
function layCut(window: Window | null, source: { seconds: number; offsetSeconds: number }, rate: FrameRate): Cut {
  const frameCount = framesIn(source.seconds - source.offsetSeconds, rate);
  const firstFrame = framesIn(window?.startSeconds ?? 0, rate);
  // The last clip ends with the source's last frame.
  const isLast = window === null || window.endSeconds >= source.seconds;
  const endFrame = isLast ? frameCount : Math.min(framesIn(window.endSeconds, rate), frameCount);
  const frames = Math.max(1, endFrame - firstFrame);
  return {
    firstFrame,
    startSeconds: secondsOf(firstFrame, rate),
    seconds: secondsOf(frames, rate),
    frames,
    isCutAtStart: firstFrame > 0,
    isCutAtEnd: firstFrame + frames < frameCount,
  };
}

function isFitToShip(probe: Probe, video: VideoStream): boolean {
  return (
    /\b(mov|matroska)\b/.test(probe.formatName) &&
    video.codec === "h264" &&
    video.pixelFormat === "yuv420p" &&
    video.hasSquarePixels &&
    video.rotation === 0 &&
    // Many players apply rotations only, and not the mirroring or cropping that a copy would keep.
    !video.isPlaced &&
    video.width % 2 === 0 &&
    video.height % 2 === 0 &&
    video.framesPerSecond <= 60.5 &&
    !video.isHdr &&
    !video.isInterlaced &&
    video.isUniform &&
    video.startsWithKeyFrame &&
    !video.hidesFrames
  );
}

function isSoundFitToShip(probe: Probe): boolean {
  const { audio } = probe;
  return audio?.codec === "aac" && audio.profile === "LC" && audio.sampleRate === 48_000 && audio.channels === 2;
}

function knowStretch(
  known: Map<string, PlannedStretch>,
  { cut, caption, shown }: Footage,
  afterSeams: ReadonlySet<string>,
): PlannedStretch {
  const identity = identityOf({ cut, caption, shown });
  const followsSeam = afterSeams.has(identity);
  const stretch = known.get(identity) ?? { id: `stretch-${known.size}`, cut, caption, shown, followsSeam };
  known.set(identity, stretch);
  return stretch;
}

function planSound(
  sounds: Map<string, PlannedSound>,
  request: RenderRequest,
  trackIndex: number | null,
  { cut, offsetSeconds, isPictureCopied }: { cut: Cut; offsetSeconds: number; isPictureCopied: boolean },
): SoundOrigin {
  const { soundRefusal } = request.source.probe;
  if (soundRefusal && (trackIndex === null || request.settings.audio_mode === "mix")) throw soundRefusal;
  if (trackIndex === null) {
    if (!request.source.probe.audio) return { from: "nothing" };
    const isSoundUnchanged = isPictureCopied && hasDefaults(request.settings, "sound");
    if (isSoundUnchanged && isSoundFitToShip(request.source.probe)) return { from: "source" };
  }
  const track = trackIndex === null ? null : (request.tracks[trackIndex] ?? null);
  // Music alone restarts with each clip, so clips of one length share it.
  const fromSeconds = cut.startSeconds + offsetSeconds;
  const start = isSourceAudible(request.source, track, request.settings) ? fromSeconds : null;
  const identity = JSON.stringify([start, cut.frames, cut.isCutAtStart, cut.isCutAtEnd, track?.revision]);
  const known = sounds.get(identity) ?? { id: `sound-${sounds.size}`, cut, fromSeconds, trackIndex };
  sounds.set(identity, known);
  return { from: "encoded", id: known.id };
}

function toEven(pixels: number): number {
  return Math.max(2, pixels - (pixels % 2));
}
