import { isDeepStrictEqual } from "node:util";
import type { PreviewSettings, StreamSettings } from "#contract/job-settings/job-settings.ts";
import type { Encoder } from "#contract/settings/system.ts";
import type { Probe, VideoStream } from "../../probe/probe-report.ts";
import { requireVideo } from "../../render/required-streams.ts";
import { convertColors, convertMixedColors } from "./convert-colors.ts";
import { deviceArguments, encoderArguments, finishFilter } from "./encoder-arguments.ts";
import { shownSince } from "../../health/frame-timing.ts";
import { fillFrame, type FrameFilters } from "../fill-frame.ts";
import { fitSize, holdSize, isHeld, framesIn, secondsOf } from "../fit-size.ts";
import { planWithin } from "../focus/focus-path.ts";
import { spreadKeyframes } from "../platform-encoding.ts";
import { showWhile } from "./image-arguments.ts";
import { type Drawing, type DrawnLayer, stackOf } from "./drawing-series.ts";
import { atSpeed, frameAt, layOnGrid, rateOf } from "./frame-grid.ts";
import { jpegFilters, THUMBNAIL_AT_SECONDS, THUMBNAIL_PIXELS } from "./output-arguments.ts";
import type { Cut, FramePlan, Layer, MediaFile, PictureLine, PictureRun, Shown } from "../render-plan.ts";
import { type Paced, speedOf } from "../speed.ts";
import { keepClock, openDrawing, openSource, WITHOUT_TAGS } from "./source-arguments.ts";

/** A source may end slightly before its header's time; its last frame fills in. */
const LENGTHEN_SECONDS = 0.2;
/** Absorbs rounding: the first frame read is never the first one shown. */
const FRAMES_TO_SPARE = 1;
/** Longer than any encoder's keyframe interval. */
const MAX_SECONDS_BETWEEN_KEY_FRAMES = 12;

export type DrawingOptions = Paced & {
  source: Pick<MediaFile, "path" | "probe">;
  /** By place in the request's drawings. A missing one is not shown. */
  drawings: ReadonlyMap<number, Drawing>;
  hasZscale: boolean;
  /** How long the last frame also replaces undecodable frames; default 0. */
  holdSeconds?: number;
  settings?: PreviewSettings;
};

/**
 * Encodes each line, without sound, into one file per cut, named `patternOf(line)` with a %d for the cut's number.
 * `into` is that of a run that fades into another source.
 */
export function pictureArguments(
  run: PictureRun,
  plan: FramePlan,
  options: DrawingOptions & {
    settings: StreamSettings;
    encoder: Encoder;
    threadsPerEncoder: number;
    /** Null for the quality's. */
    kbps: number | null;
    patternOf: (line: PictureLine) => string;
    into: (DrawingOptions & { plan: FramePlan }) | null;
  },
): string[] {
  const frames = run.cuts.reduce((sum, cut) => sum + cut.frames, 0);
  const finish = finishFilter(options.encoder);
  const { into } = options;
  const first = { ...options, startSeconds: run.cuts[0]!.startSeconds, finish };
  const shown = planWithin(plan, { firstFrame: run.cuts[0]!.firstFrame, frames }, run.speed);
  const { opened, chains, clocks } =
    run.into && into
      ? fadeInto(run, run.into, shown, { first, second: into, seconds: secondsOf(frames, plan.frameRate) })
      : drawOver(run.lines, shown, first);
  return [
    ...deviceArguments(options.encoder),
    ...opened,
    ...["-filter_complex", chains.join(";")],
    ...run.lines.flatMap((line, i) => [
      // Filters after the one that sets the rate do not state it.
      ...["-map", `[picture${i}]`, "-frames:v", String(frames), "-r", rateOf(plan)],
      ...encoderArguments(options.settings.quality, options.threadsPerEncoder, options.encoder, {
        followsSeam: run.followsSeam,
        kbps: options.kbps,
        codec: options.settings.codec,
      }),
      ...[...WITHOUT_TAGS, ...cutArguments(run, plan), `file:${options.patternOf(line)}`],
    ]),
    ...clocks,
  ];
}

/** The frame of a thumbnail, from the first of `cut`: at one second of the highest layer, or halfway. */
export function thumbnailFrame({ layers }: Pick<PictureLine, "layers">, cut: Cut, plan: FramePlan): number {
  const { fromFrame, toFrame } = layers.at(-1)?.shown ?? { fromFrame: 0, toFrame: cut.frames };
  return fromFrame + Math.floor(Math.min(framesIn(THUMBNAIL_AT_SECONDS, plan.frameRate), (toFrame - fromFrame) / 2));
}

/**
 * Writes a thumbnail of `cut` for each line, all of one frame. A separate run, because beside the encoders frames would
 * pile up in memory.
 */
export function thumbnailsArguments(
  lines: readonly PictureLine[],
  cut: Cut,
  plan: FramePlan,
  options: DrawingOptions & { fileOf: (line: PictureLine) => string },
): string[] {
  const frame = thumbnailFrame(lines[0]!, cut, plan);
  const drawn = lines.map(({ layers, ids }) => ({ ids, layers: layersAt(layers, frame) }));
  const shown = planWithin(plan, { firstFrame: cut.firstFrame + frame, frames: 1 }, options.speed);
  const { opened, chains, clocks } = drawOver(drawn, shown, {
    ...options,
    startSeconds: secondsOf(cut.firstFrame + frame, plan.frameRate),
    finish: jpegFilters(THUMBNAIL_PIXELS, "bt709"),
  });
  return [
    // More threads would read ahead.
    ...["-threads", "1"],
    ...opened,
    ...["-filter_complex", chains.join(";")],
    ...lines.flatMap((line, i) => [
      ...["-map", `[picture${i}]`, "-frames:v", "1", "-c:v", "mjpeg", "-q:v", "4"],
      ...["-update", "1", "-f", "image2", `file:${options.fileOf(line)}`],
    ]),
    ...clocks,
  ];
}

/** Faded layers are drawn in full. */
function layersAt(layers: readonly Layer[], frame: number): Layer[] {
  const isSeen = (shown: Shown | null) => !shown || (shown.fromFrame <= frame && frame < shown.toFrame);
  return layers.filter(({ shown }) => isSeen(shown)).map(({ drawing }) => ({ drawing, shown: null }));
}

/** Shows all of the drawings, the lowest first. `frames` is how many to write; 1 by default. */
export function stillArguments(
  plan: FramePlan,
  options: DrawingOptions & { startSeconds: number; finish: string; frames?: number; output: readonly string[] },
): string[] {
  const layers = [...options.drawings.keys()].map((drawing) => ({ drawing, shown: null }));
  const { opened, chains, clocks } = drawOver([{ layers }], plan, options);
  // By version, ffmpeg reads on after the frame it needs, and would fail for damage there.
  const tolerant = ["-max_error_rate", "1"];
  return [
    ...[...opened, "-filter_complex", chains.join(";"), ...tolerant],
    ...["-map", "[picture0]", "-frames:v", String(options.frames ?? 1), ...options.output],
    ...clocks,
  ];
}

/** `inputs` counts the inputs opened so far. `clocks` are further outputs, which keep the clocks of sources. */
type DrawnFrames = { opened: string[]; chains: string[]; clocks: string[]; inputs: number };

type DrawOver = DrawingOptions & {
  /** On the playback clock, like all other times of frames. */
  startSeconds: number;
  finish: string;
  /** The number of its first input; 0 by default. */
  firstInput?: number;
  /** Of its labels. */
  prefix?: string;
};

/** Fades from the run's frames into another source's, from the first frame to the last. */
function fadeInto(
  { lines }: PictureRun,
  { cut, layers }: NonNullable<PictureRun["into"]>,
  plan: FramePlan,
  { first, second, seconds }: { first: DrawOver; second: DrawingOptions & { plan: FramePlan }; seconds: number },
): DrawnFrames {
  // The filter needs to know the rate.
  const finish = `fps=${rateOf(plan)}`;
  const from = drawOver(lines, plan, { ...first, finish, prefix: "from_" });
  const into = drawOver(
    lines.map(() => ({ layers })),
    planWithin(second.plan, cut, second.speed),
    { ...second, startSeconds: cut.startSeconds, finish, firstInput: from.inputs, prefix: "into_" },
  );
  const fade = `xfade=duration=${seconds.toFixed(6)}:offset=0,${first.finish}`;
  return {
    opened: [...from.opened, ...into.opened],
    chains: [
      ...[...from.chains, ...into.chains],
      ...lines.map((_, i) => `[from_picture${i}][into_picture${i}]${fade}[picture${i}]`),
    ],
    clocks: [...from.clocks, ...into.clocks],
    inputs: into.inputs,
  };
}

/** Outputs are `[picture0]`, `[picture1]` and so on, with the prefix. */
function drawOver(lines: readonly Pick<PictureLine, "layers">[], plan: FramePlan, options: DrawOver): DrawnFrames {
  const { source, hasZscale, finish, firstInput = 0, prefix = "" } = options;
  const stacks = lines.map(({ layers }) => stackOf(layers, options.drawings, plan).layers);
  const shared = sharedLayers(stacks);
  const own = stacks.map((stack) => stack.slice(shared.length));
  const video = requireVideo(source.probe);
  const speed = speedOf(options);
  const startSeconds = options.startSeconds * speed + plan.offsetSeconds;
  // The first frame shown may have started long before.
  const shownAt = shownSince(video.timing.longFrames, startSeconds);
  const firstFrame = framesIn(options.startSeconds, plan.frameRate);
  const readFrame = Math.max(0, Math.floor(frameAt(shownAt, plan) / speed) - Math.ceil(FRAMES_TO_SPARE / speed));
  const seek = secondsOf(readFrame, plan.frameRate) * speed;
  const lead = leadSeconds(source.probe, seek);
  const inputs = distinctDrawings([...shared, ...own.flat()]);
  const chains = drawGraph(video, plan, {
    ...{ firstInput, prefix },
    shared,
    own,
    inputs,
    hasZscale,
    finish,
    leadSeconds: lead,
    speed,
    holdSeconds: (LENGTHEN_SECONDS + video.timing.lastFrameLasts) / speed + (options.holdSeconds ?? 0),
    seekSeconds: seek,
    startSeconds,
    leadFrames: firstFrame - readFrame,
  });
  return {
    opened: [
      // ffmpeg's own filters before ours would not survive a change.
      ...openSource(source.path, {
        ...{ startSeconds: seek - lead, video },
        keepsFilters: !video.isPlaced || video.turn !== null,
      }),
      ...inputs.flatMap(({ layer: { drawing } }) => openDrawing(drawing.path)),
    ],
    chains,
    clocks: keepClock(source.probe, source.probe.audio, firstInput),
    inputs: firstInput + 1 + inputs.length,
  };
}

/** A file that is opened once for all of its uses, the first of which is `layer`. */
type DrawnInput = { layer: DrawnLayer; uses: DrawnLayer[] };

/** Layers that fade share no input, because a fade needs one picture per frame. */
function distinctDrawings(layers: readonly DrawnLayer[]): DrawnInput[] {
  const inputs = new Map<string | DrawnLayer, DrawnInput>();
  for (const layer of layers) {
    const { drawing, shown } = layer;
    const isFaded = shown !== null && shown.fadeInFrames + shown.fadeOutFrames > 0;
    const key = isFaded ? layer : drawing.path;
    const input = inputs.get(key) ?? { layer, uses: [] };
    input.uses.push(layer);
    inputs.set(key, input);
  }
  return [...inputs.values()];
}

/** The lowest layers of all lines, which are drawn once. */
function sharedLayers([first = [], ...others]: readonly (readonly DrawnLayer[])[]): readonly DrawnLayer[] {
  const end = first.findIndex((layer, i) => !others.every((stack) => isSame(layer, stack[i])));
  return end === -1 ? first : first.slice(0, end);
}

function isSame(a: DrawnLayer, b: DrawnLayer | undefined): boolean {
  return b !== undefined && isDeepStrictEqual(a, b);
}

/**
 * Splits at a forced keyframe where each picture ends. Keyframes in between are forced too: the encoder might put one
 * on a stretch's last frame, and two consecutive ones cannot be joined.
 */
export function cutArguments(
  { cuts }: Pick<PictureRun, "cuts">,
  { frameRate, keyframeFrames }: Pick<FramePlan, "frameRate" | "keyframeFrames">,
): string[] {
  const starts = cuts.slice(1).map(({ firstFrame }) => firstFrame - cuts[0]!.firstFrame);
  const keyframes = cuts.flatMap(({ firstFrame, frames }) =>
    spreadKeyframes(frames, keyframeFrames).map((frame) => firstFrame - cuts[0]!.firstFrame + frame),
  );
  // A quarter of a frame early: ffmpeg forces the first keyframe at or after this time.
  const times = keyframes.slice(1).map((frame) => secondsOf(frame - 0.25, frameRate).toFixed(6));
  return [
    ...(times.length > 0 ? ["-force_key_frames", times.join()] : []),
    ...(starts.length > 0 ? ["-segment_frames", starts.join()] : []),
    ...["-f", "segment", "-segment_format", "mp4", "-reset_timestamps", "1", "-avoid_negative_ts", "disabled"],
    ...(starts.length > 0 ? [] : ["-segment_time", "1000000"]),
  ];
}

/** Decoded and dropped, because seeking in some containers lands between keyframes. */
export function leadSeconds({ formatName }: Probe, seekSeconds: number): number {
  return /\bmpeg(ts)?\b/.test(formatName) ? Math.min(seekSeconds, MAX_SECONDS_BETWEEN_KEY_FRAMES) : 0;
}

function drawGraph(
  video: VideoStream,
  plan: FramePlan,
  options: {
    /** Below the others, on all pictures. */
    shared: readonly DrawnLayer[];
    /** By picture. */
    own: readonly (readonly DrawnLayer[])[];
    inputs: readonly DrawnInput[];
    hasZscale: boolean;
    finish: string;
    leadSeconds: number;
    speed: number;
    holdSeconds: number;
    /** Source time where reading starts. */
    seekSeconds: number;
    /** Source time of the first frame shown. */
    startSeconds: number;
    leadFrames: number;
    firstInput: number;
    prefix: string;
  },
): string[] {
  const { firstInput, prefix } = options;
  const lead = options.leadSeconds.toFixed(6);
  const dropLead = options.leadSeconds > 0 ? [`trim=start=${lead}`, `setpts=PTS-${lead}/TB`] : [];
  const frames = [...dropLead, ...prepareFrames(video, plan, options)];
  const chains = [`[${firstInput}:${video.index}]${frames.join(",")}[${prefix}plain]`];
  const labels = new Map<DrawnLayer, string>();
  for (const [i, { layer, uses }] of options.inputs.entries()) {
    const input = firstInput + 1 + i;
    for (const [use, other] of uses.entries()) labels.set(other, `drawing${input}_${use}`);
    const filters = [...drawingFilters(layer, plan), ...(uses.length > 1 ? [`split=${uses.length}`] : [])];
    chains.push(`[${input}:v]${filters.join(",")}${uses.map((other) => `[${labels.get(other)!}]`).join("")}`);
  }
  const stack = (below: string, layers: readonly DrawnLayer[]): string => {
    for (const layer of layers) {
      const label = labels.get(layer)!;
      chains.push(`[${below}][${label}]${overlayFilter(layer, plan)}[on_${label}]`);
      below = `on_${label}`;
    }
    return below;
  };
  const marked = stack(`${prefix}plain`, options.shared);
  const copies = options.own.map((_, i) => `[${prefix}copy${i}]`).join("");
  chains.push(`[${marked}]split=${options.own.length}${copies}`);
  options.own.forEach((layers, i) => {
    chains.push(`[${stack(`${prefix}copy${i}`, layers)}]${options.finish}[${prefix}picture${i}]`);
  });
  return chains;
}

function prepareFrames(
  video: VideoStream,
  plan: FramePlan,
  options: {
    hasZscale: boolean;
    speed: number;
    holdSeconds: number;
    seekSeconds: number;
    startSeconds: number;
    leadFrames: number;
  },
): string[] {
  const { hasZscale, leadFrames, speed } = options;
  const colors = convertMixedColors(video, hasZscale);
  return [
    ...(isHeld(video) ? holdSize(video, options.seekSeconds) : []),
    ...(video.isInterlaced ? ["bwdif=mode=send_frame"] : []),
    ...(video.turn ?? []),
    ...layOnGrid(plan, video, speed),
    `tpad=stop_mode=clone:stop_duration=${options.holdSeconds.toFixed(6)}`,
    ...(leadFrames > 0 ? [`trim=start_frame=${leadFrames}`] : []),
    "setpts=PTS-STARTPTS",
    ...colors.first,
    // These see frames on the playback clock.
    ...bringToSize(atSpeed(video, speed), plan, {
      fromSeconds: options.startSeconds / speed,
      colors: colors.options,
      convert: convertColors(video, hasZscale),
    }),
    "format=yuv420p",
    "setsar=1",
    "setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709",
  ];
}

function bringToSize(video: VideoStream, plan: FramePlan, frames: FrameFilters): string[] {
  return plan.framing
    ? fillFrame(video, plan, plan.framing, frames)
    : [...fitSize(video, plan, frames), ...frames.convert];
}

function drawingFilters({ shown }: DrawnLayer, { frameRate }: FramePlan): string[] {
  const { fades } = shown ? showWhile(shown, frameRate) : { fades: [] };
  return ["scale=out_color_matrix=bt709:out_range=tv", "format=yuva420p", ...fades];
}

function overlayFilter({ drawing, shown }: DrawnLayer, { frameRate }: FramePlan): string {
  const enable = shown ? showWhile(shown, frameRate).enable : "";
  return `overlay=${drawing.x}:${drawing.y}:format=yuv420${enable}`;
}
