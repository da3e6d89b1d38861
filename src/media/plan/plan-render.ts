import type { Platform } from "#contract/jobs/outputs/conformance.ts";
import { PLATFORMS } from "#contract/jobs/outputs/platforms.ts";
import { hasDefaults } from "#contract/job-settings/setting-values.ts";
import type { Probe, VideoStream } from "../probe/probe-report.ts";
import { requireVideo } from "../render/required-streams.ts";
import { cutChunks } from "./chunks/cut-chunks.ts";
import { cutAtCues } from "./subtitles/cut-at-cues.ts";
import { cuesAlong, layInPart } from "./subtitles/lay-in-part.ts";
import { layCut } from "./timeline/lay-cut.ts";
import { cutAt, cutFootage, identityOf, showLayer, within } from "./cut-footage.ts";
import { type FrameRate, framesIn, secondsOf } from "./fit-size.ts";
import type {
  Cut,
  EncodedPicture,
  Footage,
  FramePlan,
  Framing,
  Layer,
  PlannedOutput,
  PlannedSound,
  PlannedStretch,
  RenderPlan,
  RenderRequest,
  SoundFade,
  SoundOrigin,
  Timeline,
  TimelineLayer,
  TimelinePart,
} from "./render-plan.ts";
import { bringTo, planFrames } from "./plan-frames.ts";
import { soundKbps } from "./platform-encoding.ts";
import { paced, speedOf } from "./speed.ts";
import { isSourceAudible } from "./arguments/sound-arguments.ts";

/** With replaced sound, the last frame is not held. */
export function playedSeconds({ durationSeconds, video }: Probe, isSoundReplaced: boolean): number {
  return isSoundReplaced && video ? durationSeconds - video.timing.heldSeconds : durationSeconds;
}

/**
 * Plans each distinct stretch and sound of all timelines once. Throws ClipmillError "not_a_video" without a picture, and
 * "unsupported_codec" if an output needs the sound of a source that cannot be decoded.
 */
export function planRender(request: RenderRequest): RenderPlan {
  const { settings } = request;
  const sources = request.sources.map(({ probe }) => probe);
  const video = planFrames(sources[0]!, settings);
  const frames = request.sources.map((file) => bringTo(video, file, settings));
  const sounds = new Map<string, PlannedSound>();

  const outputs = request.outputs.map((output) => {
    const isSoundReplaced = output.trackIndex !== null && settings.audio_mode === "replace";
    const layCuts = (isCopied: boolean) =>
      output.parts.map(({ source, window, speed = 1 }) => {
        const seconds = playedSeconds(sources[source]!, isSoundReplaced && window === null);
        const offsetSeconds = isCopied ? 0 : frames[source]!.offsetSeconds;
        const cut = layCut(window, { seconds, offsetSeconds, speed }, video.frameRate);
        return { source, seconds, offsetSeconds, cut };
      });
    const encodedCuts = layCuts(false);
    const overlaps = overlapsOf(encodedCuts, settings.transition_seconds, video.frameRate);
    const encoded = layOver(output, encodedCuts, { overlaps, rate: video.frameRate });
    const lacksCaption = hasCaption(output) && !encoded.some((part) => showsCaption(request, part));
    const isCopied = mayCopy(request, output, { framing: video.framing, footage: encoded });
    const cuts = isCopied ? layCuts(true) : encodedCuts;
    const footage = isCopied ? [] : encoded;
    const frameCount = cuts.reduce((sum, { cut }, i) => sum + cut.frames - overlaps[i]!, 0);
    const seconds = secondsOf(frameCount, video.frameRate);
    const sound = planSound(sounds, request, output, { cuts, overlaps, seconds, isPictureCopied: isCopied });
    return {
      key: output.key,
      seconds: isCopied ? cuts[0]!.seconds : seconds,
      footage,
      lacksCaption,
      cues: cuesAlong(output.parts, cuts, overlaps, video.frameRate),
      sound,
      // Copied streams may start late, which requires edit lists.
      avoidsEditLists: !isCopied && sound.from !== "source" && rejectsEditLists(settings.platform),
    };
  });
  const { stretches, pictureOf } = planStretches(
    outputs.map(({ footage }) => footage),
    (stretch) => showsCaption(request, stretch),
    (source) => mayCut(request, requireVideo(sources[source]!)),
    (stretch) =>
      request.chunks
        ? cutChunks(stretch, request.chunks, video)
        : cutAtCues(stretch, request.drawings, video.frameRate),
    video,
  );
  return {
    ...{ width: video.width, height: video.height, frameRate: video.frameRate },
    frames,
    soundKbps: soundKbps(settings.platform),
    stretches,
    sounds: [...sounds.values()],
    outputs: outputs.map(({ footage, ...output }): PlannedOutput =>
      Object.assign(output, { picture: pictureOf(footage) }),
    ),
  };
}

function hasCaption({ layers, parts }: Timeline): boolean {
  return parts.some(({ caption }) => caption !== undefined) || layers.some(({ isCaption }) => isCaption === true);
}

function showsCaption({ drawings }: RenderRequest, { layers }: Pick<Footage, "layers">): boolean {
  return layers.some(({ drawing }) => drawings[drawing]!.kind === "caption");
}

/** True if the output shows the entire video as it is. */
function mayCopy(
  request: RenderRequest,
  { parts }: Timeline,
  { framing, footage }: { framing: Framing | null; footage: readonly Footage[] },
): boolean {
  const { source, window, speed = 1 } = parts[0]!;
  const isWhole = parts.length === 1 && window === null && speed === 1;
  const isWholeAndBare = isWhole && footage.every(({ layers }) => layers.length === 0);
  const { probe } = request.sources[source]!;
  return (
    isWholeAndBare &&
    framing === null &&
    !request.isPictureNeverCopied &&
    request.settings.codec === "h264" &&
    hasDefaults(request.settings, "picture") &&
    isFitToShip(probe, requireVideo(probe))
  );
}

/** A stream of one frame cannot be joined to another. */
const LEAST_FRAMES = 2;

/**
 * In how many frames each part fades into the next one: where another source follows, up to half of either part. No
 * transition has one frame, nor has what is left of a part.
 */
function overlapsOf(
  cuts: readonly { source: number; cut: Cut }[],
  transitionSeconds: number,
  rate: FrameRate,
): number[] {
  const wanted = framesIn(transitionSeconds, rate);
  let before = 0;
  return cuts.map(({ source, cut }, i) => {
    const next = cuts[i + 1];
    const isFaded = next && next.source !== source;
    const most = isFaded ? Math.min(wanted, Math.floor(cut.frames / 2), Math.floor(next.cut.frames / 2)) : 0;
    const isOneLeft = cut.frames - before - most === LEAST_FRAMES - 1;
    const overlap = most - (isOneLeft ? LEAST_FRAMES - 1 : 0);
    return (before = overlap < LEAST_FRAMES ? 0 : overlap);
  });
}

function layOver(
  output: Timeline,
  cuts: readonly { source: number; offsetSeconds: number; cut: Cut }[],
  { overlaps, rate }: { overlaps: readonly number[]; rate: FrameRate },
): Footage[] {
  const rows = output.layers.map((layer) => layAlong(layer, output.parts, cuts, { overlaps, rate }));
  const parts = cuts.map(({ source, offsetSeconds, cut }, i): Footage => {
    const { caption: own, subtitles = [], speed = 1 } = output.parts[i]!;
    const of = (isCaption: boolean) =>
      rows.flatMap((row, layer) => (Boolean(output.layers[layer]!.isCaption) === isCaption ? row[i]! : []));
    const spoken = layInPart(subtitles, { cut, offsetSeconds, speed }, rate);
    const layers = [...of(false), ...spoken, ...of(true)];
    const drawn = own === undefined ? layers : [...layers, { drawing: own, shown: null }];
    return { source, ...paced(speed), cut, layers: drawn };
  });
  return parts.flatMap((part, i) =>
    withTransition(part, { before: overlaps[i - 1] ?? 0, after: overlaps[i]! }, parts[i + 1], rate),
  );
}

/** Returns the part without the frames that it shares with its neighbors, then those that it shares with the next one. */
function withTransition(
  part: Footage,
  { before, after }: { before: number; after: number },
  next: Footage | undefined,
  rate: FrameRate,
): Footage[] {
  const { firstFrame, frames } = part.cut;
  const [start, end] = [firstFrame + before, firstFrame + frames - after];
  const points = new Set([start, end].filter((frame) => frame > firstFrame && frame < firstFrame + frames));
  const own = cutAt(part, [...points], rate).filter(({ cut }) => cut.firstFrame >= start && cut.firstFrame < end);
  if (after === 0 || !next) return own;
  const [last] = cutAt(part, [end], rate).slice(-1);
  const [into] = cutAt(next, [next.cut.firstFrame + after], rate);
  return [...own, { ...last!, into: into! }];
}

/** Returns what each part shows of the layer. Its times run through the parts that can show it, and skip the others. */
function layAlong(
  layer: TimelineLayer,
  parts: readonly TimelinePart[],
  cuts: readonly { source: number; cut: Cut }[],
  { overlaps, rate }: { overlaps: readonly number[]; rate: FrameRate },
): Layer[][] {
  const mayShow = parts.map(({ isBare = false, caption }) => !isBare && !(layer.isCaption && caption !== undefined));
  // Frames in which such a part fades into another one count once.
  const advances = cuts.map(({ cut }, i) => (mayShow[i] ? cut.frames - (mayShow[i + 1] ? overlaps[i]! : 0) : 0));
  const frames = advances.reduce((sum, advance) => sum + advance, 0);
  const shown = showLayer(frames, layer, rate);
  let at = 0;
  return cuts.map(({ source, cut }, i) => {
    const from = at;
    at += advances[i]!;
    const drawing = typeof layer.drawing === "number" ? layer.drawing : (layer.drawing[source] ?? null);
    return mayShow[i] && shown && drawing !== null ? within([{ drawing, shown }], cut.frames, from) : [];
  });
}

/** A picture with known losses stays in one piece, so that its damage is measured as one. */
function mayCut({ isPictureNeverCut = false }: RenderRequest, { losses }: VideoStream): boolean {
  return !isPictureNeverCut && losses.length === 0;
}

function planStretches(
  pictures: readonly (readonly Footage[])[],
  showsCaptionIn: (stretch: Footage) => boolean,
  mayCutSource: (source: number) => boolean,
  cutFurther: (stretch: Footage) => Footage[],
  video: Pick<FramePlan, "frameRate">,
): { stretches: PlannedStretch[]; pictureOf: (footage: readonly Footage[]) => PlannedOutput["picture"] } {
  const distinct = [...new Map(pictures.flat().map((footage) => [identityOf(footage), footage])).values()];
  const mayCutIt = ({ source, into }: Footage) => !into && mayCutSource(source);
  const [cuttable, whole] = [true, false].map((may) => distinct.filter((footage) => mayCutIt(footage) === may));
  const pieces = new Map(whole!.map((footage) => [identityOf(footage), [footage]]));
  for (const [i, some] of cutFootage(cuttable!, video.frameRate).entries()) {
    pieces.set(identityOf(cuttable![i]!), some.flatMap(cutFurther));
  }

  const known = new Map<string, PlannedStretch>();
  const encoded = new Map<string, EncodedPicture>();
  for (const picture of pictures) {
    if (picture.length === 0 || encoded.has(keyOf(picture))) continue;
    const parts = picture.map((footage) => pieces.get(identityOf(footage))!);
    const stretches = parts.flatMap((some, part) =>
      some.map((piece, i) =>
        knowStretch(known, piece, {
          followsSeam: part > 0 || i > 0,
          precedesPart: part < parts.length - 1 && i === some.length - 1,
        }),
      ),
    );
    // The video's own sources come before those of an intro and an end card.
    const [main] = stretches.toSorted((a, b) => a.source - b.source);
    encoded.set(keyOf(picture), {
      from: "encoded",
      stretches: stretches.map(({ id }) => id),
      thumbnailOf: (stretches.find(showsCaptionIn) ?? main!).id,
    });
  }
  return {
    stretches: [...known.values()],
    pictureOf: (footage) => (footage.length === 0 ? { from: "source" } : encoded.get(keyOf(footage))!),
  };
}

function keyOf(picture: readonly Footage[]): string {
  return picture.map(identityOf).join();
}

function rejectsEditLists(platform: Platform | null): boolean {
  return platform !== null && PLATFORMS[platform].rules.rejectsEditLists?.value === true;
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

/** A place that any output needs counts for all of them. */
function knowStretch(
  known: Map<string, PlannedStretch>,
  footage: Footage,
  place: Pick<PlannedStretch, "followsSeam" | "precedesPart">,
): PlannedStretch {
  const identity = identityOf(footage);
  const stretch = known.get(identity) ?? { id: `stretch-${known.size}`, ...footage, ...place };
  stretch.followsSeam ||= place.followsSeam;
  stretch.precedesPart ||= place.precedesPart;
  known.set(identity, stretch);
  return stretch;
}

function planSound(
  sounds: Map<string, PlannedSound>,
  request: RenderRequest,
  { parts, trackIndex }: Timeline,
  timeline: {
    cuts: readonly { source: number; offsetSeconds: number; cut: Cut }[];
    overlaps: readonly number[];
    seconds: number;
    isPictureCopied: boolean;
  },
): SoundOrigin {
  const { cuts, overlaps, seconds, isPictureCopied } = timeline;
  const wantedSeconds = request.settings.audio_crossfade_ms / 1_000;
  const fadeBetween = (cut: Cut, next: Cut, overlap: number): SoundFade =>
    overlap > 0
      ? { seconds: (cut.seconds * overlap) / cut.frames, isOverlap: true }
      : // A longer fade would find too little sound, and make all of it silent.
        { seconds: Math.min(wantedSeconds, cut.seconds, next.seconds), isOverlap: false };
  const probes = cuts.map(({ source }) => request.sources[source]!.probe);
  const error = probes.find(({ soundError }) => soundError)?.soundError;
  if (error && (trackIndex === null || request.settings.audio_mode === "mix")) throw error;
  if (trackIndex === null) {
    if (probes.every(({ audio }) => !audio)) return { from: "nothing" };
    const isSoundUnchanged = isPictureCopied && hasDefaults(request.settings, "sound");
    if (isSoundUnchanged && isSoundFitToShip(probes[0]!)) return { from: "source" };
  }
  const sound: Omit<PlannedSound, "id"> = {
    parts: cuts.map(({ source, offsetSeconds, cut }, i) => ({
      source,
      ...paced(speedOf(parts[i]!)),
      fromSeconds: cut.startSeconds * speedOf(parts[i]!) + offsetSeconds,
      seconds: cut.seconds,
      gainDb: parts[i]!.gainDb ?? 0,
      fade: i === cuts.length - 1 ? null : fadeBetween(cut, cuts[i + 1]!.cut, overlaps[i]!),
    })),
    seconds,
    isCutAtStart: cuts[0]!.cut.isCutAtStart,
    isCutAtEnd: cuts.at(-1)!.cut.isCutAtEnd,
    trackIndex,
  };
  const track = trackIndex === null ? null : (request.tracks[trackIndex] ?? null);
  // Music alone restarts with each clip, so clips of one length share it.
  const audibleParts = isSourceAudible(request.sources, sound, request.settings) ? sound.parts : null;
  const { isCutAtStart, isCutAtEnd } = sound;
  const identity = JSON.stringify([audibleParts, seconds, isCutAtStart, isCutAtEnd, track?.revision]);
  const known = sounds.get(identity) ?? { id: `sound-${sounds.size}`, ...sound };
  sounds.set(identity, known);
  return { from: "encoded", id: known.id };
}
