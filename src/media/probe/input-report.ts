/** Parses `ffmpeg -i`. */

export type ReportedStream = {
  index: number;
  type: "video" | "audio" | "subtitle" | "data" | "other";
  codec: string;
  profile: string | null;
  isDefault: boolean;
  /** A still image in the file, such as cover art. */
  isAttachedPicture: boolean;
  /** For video; 0 if unstated. */
  width: number;
  height: number;
  /** Pixel width divided by height; 0 if unstated. */
  pixelAspect: number;
  pixelFormat: string | null;
  /** After the pixel format: range, colors, field order. */
  pictureFacts: string[];
  /** Frames per second: the average, and the rate that fits all timestamps; 0 if unstated. */
  averageRate: number;
  baseRate: number;
  /** Degrees counterclockwise. */
  matrixRotation: number | null;
  /** Degrees clockwise, from a tag in old files. */
  rotateTag: number | null;
  isPlaced: boolean;
  /** WebM keeps transparency beside the picture, whose pixel format does not show it. */
  hasAlphaTag: boolean;
  /** For audio; 0 if unstated. */
  sampleRate: number;
  channels: number;
};

export type InputReport = {
  formatName: string;
  startSeconds: number;
  /** Rounded to hundredths; null if only the complete file shows it. */
  durationSeconds: number | null;
  majorBrand: string;
  streams: ReportedStream[];
};

const INPUT = /^Input #0, (\S+), from /;
const DURATION = /^ {2}Duration: (?:N\/A|(\d+):(\d+):(\d+\.\d+))(?:, start: (-?\d+\.\d+))?/;
const STREAM =
  /^ {2,}Stream #0:(\d+)(?:\[0x[0-9a-f]+\])?(?:\(.*?\))?: (Video|Audio|Subtitle|Data|Attachment|Unknown)[^:]*: (.*)$/;
const TYPES = { Video: "video", Audio: "audio", Subtitle: "subtitle", Data: "data" } as const;

/**
 * Reads the input's section, in which every line but the first is indented: outputs and messages follow it. Returns null
 * without an input, or if the report may be forged: a file controls parts of these lines, such as tags, so no stream may
 * be missing or described twice differently.
 */
export function readInputReport(lines: Iterable<string>): InputReport | null {
  let report: InputReport | null = null;
  let hasDuration = false;
  // Transport streams are listed by program: out of order, and a stream of two programs twice.
  const listed = new Map<number, { line: string; stream: ReportedStream }>();
  let last: ReportedStream | null = null;
  for (const line of lines) {
    if (!report) {
      const [, formatName] = INPUT.exec(line) ?? [];
      if (formatName === undefined) continue;
      report = { formatName, startSeconds: 0, durationSeconds: null, majorBrand: "", streams: [] };
      continue;
    }
    if (!line.startsWith(" ")) break;
    const stream = STREAM.exec(line);
    if (stream) {
      const read = readStream(stream as unknown as [string, string, string, string]);
      const known = listed.get(read.index);
      if (known && known.line !== line) return null;
      last = known?.stream ?? read;
      listed.set(read.index, { line, stream: last });
    } else if (last) {
      readStreamDetail(line, last);
    } else if (!hasDuration) {
      const duration = DURATION.exec(line);
      hasDuration = duration !== null;
      if (duration) Object.assign(report, readDuration(duration));
      report.majorBrand ||= /^ {4}major_brand {5}: (.*)$/.exec(line)?.[1] ?? "";
    }
  }
  if (!report) return null;
  const streams = [...listed.values()].map(({ stream }) => stream).toSorted((a, b) => a.index - b.index);
  return streams.every(({ index }, place) => index === place) ? { ...report, streams } : null;
}

function readDuration([, hours, minutes, seconds, start]: RegExpExecArray) {
  const durationSeconds = hours === undefined ? null : Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  return { durationSeconds, startSeconds: Number(start ?? 0) };
}

function readStream([, index, type, text]: [string, string, string, string]): ReportedStream {
  const dispositions = /(?: \([a-z ]+\))+$/.exec(text)?.[0] ?? "";
  const [coding = "", ...items] = splitOutsideParentheses(text.slice(0, text.length - dispositions.length));
  const [name = "none", ...notes] = coding.split(/ (?=\()/);
  const codec = name === "none" ? (nameByTag(coding) ?? name) : name;
  // "aac (LC) (mp4a / 0x6134706D)", "mp3 (mp3float)": a profile, a tag, or the decoder's name.
  const profile = notes.filter((note) => !/ \/ 0x[0-9A-F]+\)$/.test(note)).map((note) => note.slice(1, -1));
  const isVideo = type === "Video";
  return {
    index: Number(index),
    type: codec === "vvc" ? "video" : (TYPES[type as keyof typeof TYPES] ?? "other"),
    codec,
    profile: profile.at(-1) ?? null,
    isDefault: dispositions.includes("(default)"),
    isAttachedPicture: dispositions.includes("(attached pic)"),
    ...readPixels(isVideo ? (items[0] ?? "") : ""),
    ...readSize(isVideo ? items.slice(1) : []),
    averageRate: readRate(items, "fps"),
    baseRate: readRate(items, "tbr"),
    matrixRotation: null,
    rotateTag: null,
    isPlaced: false,
    hasAlphaTag: false,
    sampleRate: Number(items.map((item) => /^(\d+) Hz$/.exec(item)?.[1]).find(Boolean) ?? 0),
    channels: channelsOf(items[items.findIndex((item) => item.endsWith(" Hz")) + 1] ?? ""),
  };
}

/** ffmpeg 5.1 knows H.266, but not its tags in MP4 and in transport streams: "none (vvc1 / 0x31637676)". */
function nameByTag(coding: string): string | undefined {
  return / \((?:vv[ci]1|\[51\]\[0\]\[0\]\[0\]) \/ 0x/.test(coding) ? "vvc" : undefined;
}

/** "yuv420p(tv, bt709, progressive)" */
function readPixels(item: string): Pick<ReportedStream, "pixelFormat" | "pictureFacts"> {
  const [, format, facts] = /^(\w+)(?:\((.*)\))?$/.exec(item) ?? [];
  const pixelFormat = format === undefined || format === "none" ? null : format;
  return { pixelFormat, pictureFacts: facts?.split(", ") ?? [] };
}

/** "1920x1080 [SAR 1:1 DAR 16:9]"; a separate aspect ratio is the container's and takes precedence. */
function readSize(items: string[]): Pick<ReportedStream, "width" | "height" | "pixelAspect"> {
  const size = items.map((item) => /^(\d+)x(\d+)(?: |$)/.exec(item)).find(Boolean);
  const aspects = items.flatMap((item) => [...item.matchAll(/SAR (\d+):(\d+)/g)]);
  const [, across = 0, down = 1] = aspects.at(-1)?.map(Number) ?? [];
  const pixelAspect = across / down;
  return {
    width: Number(size?.[1] ?? 0),
    height: Number(size?.[2] ?? 0),
    pixelAspect: Number.isFinite(pixelAspect) ? pixelAspect : 0,
  };
}

/** Restores exact broadcast rates, because ffmpeg prints two decimals. */
const TELEVISION_RATES = [15, 24, 30, 48, 60, 90, 120, 240].map((whole) => whole / 1.001);

/** "29.97 fps", "30 tbr", "1k tbr" */
function readRate(items: string[], unit: string): number {
  const [, digits, thousand] =
    items.map((item) => new RegExp(`^([\\d.]+)(k?) ${unit}$`).exec(item)).find(Boolean) ?? [];
  const rate = Number(digits ?? 0) * (thousand ? 1_000 : 1);
  return TELEVISION_RATES.find((exact) => exact.toFixed(2) === rate.toFixed(2)) ?? rate;
}

const CHANNELS: Record<string, number> = {
  mono: 1,
  stereo: 2,
  downmix: 2,
  binaural: 2,
  quad: 4,
  hexagonal: 6,
  octagonal: 8,
};

/** "stereo", "5.1(side)", "3 channels (FL+FR+FC)" */
function channelsOf(layout: string): number {
  const [name = ""] = layout.split(/[( ]/);
  if (/^\d+ channels/.test(layout)) return Number(name);
  if (/^\d+(?:\.\d+)+$/.test(name)) return name.split(".").reduce((sum, part) => sum + Number(part), 0);
  return CHANNELS[name] ?? 0;
}

function readStreamDetail(line: string, stream: ReportedStream): void {
  const rotation = /^ {6,}(?:displaymatrix|Display Matrix): rotation of (-?[\d.]+) degrees/.exec(line);
  if (rotation) stream.matrixRotation ??= Number(rotation[1]);
  // By version, 6 or 8 spaces.
  const tag = /^ {6,}rotate {10}: (-?\d+)$/.exec(line);
  if (tag) stream.rotateTag ??= Number(tag[1]);
  stream.hasAlphaTag ||= /^ {6,}alpha_mode {6}: 1$/i.test(line);
  // ffmpeg 7.1 and newer apply the container's cropping.
  stream.isPlaced ||= rotation !== null || (stream.rotateTag ?? 0) !== 0 || /^ {6,}frame cropping/i.test(line);
}

function splitOutsideParentheses(text: string): string[] {
  const items = [""];
  let depth = 0;
  for (const character of text) {
    if (character === "(" || character === "[") depth++;
    if (character === ")" || character === "]") depth--;
    if (character === "," && depth === 0) items.push("");
    else items[items.length - 1] += character;
  }
  return items.map((item) => item.trim());
}
