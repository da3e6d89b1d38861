import { open } from "node:fs/promises";

/** Only codecs of real clips, because a hostile file can reach every decoder. */

const VIDEO = [
  // Phones, browsers, screen recorders and downloads.
  ...["h264", "hevc", "av1", "vp8", "vp9", "mpeg4", "mpeg1video", "mpeg2video", "mjpeg", "h263", "theora"],
  ...["flv1", "vp6f", "wmv1", "wmv2", "wmv3", "vc1", "msmpeg4v2", "msmpeg4v3"],
  // Cameras and editors; captions and watermarks are PNG pictures.
  ...["prores", "dnxhd", "dvvideo", "cfhd", "ffv1", "qtrle", "png", "rawvideo"],
  ...["gif", "apng"],
];
const AUDIO = [
  ...["aac", "aac_latm", "mp3", "mp2", "mp1", "opus", "vorbis", "flac", "alac", "ac3", "eac3", "dts", "speex"],
  ...["amr_nb", "amr_wb", "wmav1", "wmav2", "wmapro", "adpcm_ms", "adpcm_ima_wav", "adpcm_ima_qt", "gsm", "gsm_ms"],
  ...["pcm_u8", "pcm_s8", "pcm_s16le", "pcm_s16be", "pcm_s24le", "pcm_s24be", "pcm_s32le", "pcm_s32be"],
  ...["pcm_f32le", "pcm_f32be", "pcm_f64le", "pcm_f64be", "pcm_alaw", "pcm_mulaw", "pcm_dvd", "pcm_bluray"],
];
export const ALLOWED_CODECS: ReadonlySet<string> = new Set([...VIDEO, ...AUDIO]);

/** These use a driver, which our options cannot restrict. ffmpeg prefers its own decoders. */
const HARDWARE_DECODER = /_(?:cuvid|qsv|v4l2m2m|amf|mf|mediacodec|mmal|omx|oh|rkmpp|vaapi|videotoolbox)$/;

export type Codecs = {
  /** This build's decoders for the allowed codecs, in the format of `-codec_whitelist`. */
  decoders: string;
  names: ReadonlyMap<string, string>;
};

/** `-codec_whitelist` takes decoder names, which differ between builds: AV1 may be `libdav1d` or `libaom-av1`. */
export function readCodecs(listing: string): Codecs {
  const names = new Map<string, string>();
  const decoders: string[] = [];
  for (const line of listing.split("\n")) {
    const [, canDecode, codec, description] = /^ ([D.])[E.][VASDT][I.][L.][S.] (\S+)\s+(.*)$/.exec(line) ?? [];
    if (codec === undefined || description === undefined) continue;
    names.set(codec, nameOf(description));
    if (canDecode !== "D" || !ALLOWED_CODECS.has(codec)) continue;
    // Listed only if they differ from the codec's name.
    const listed = /\(decoders: ([^)]*)\)/.exec(description)?.[1]?.trim().split(/\s+/) ?? [codec];
    decoders.push(...listed.filter((decoder) => !HARDWARE_DECODER.test(decoder)));
  }
  return { decoders: decoders.join(","), names };
}

function nameOf(description: string): string {
  const [name = ""] = description.split(/ \(| \/ /);
  return name.replace(/ (?:video|audio|image|codec)$/, "");
}

const ANIMATION_FLAG = 0x02;

/**
 * Distinguishes a damaged video (MP4 and QuickTime, Matroska, AVI, FLV, ASF) from other files. Throws the system's
 * error.
 */
export async function looksLikeVideoContainer(path: string): Promise<boolean> {
  const head = await readHead(path, 12);
  const box = head.slice(4, 8);
  return (
    (box === "ftyp" && !/^(avif|avis|heic|heix|mif1|msf1)$/.test(head.slice(8, 12))) ||
    ["moov", "mdat", "wide"].includes(box) ||
    ["\x1aE\xdf\xa3", "0&\xb2u"].includes(head.slice(0, 4)) ||
    head.startsWith("FLV\x01") ||
    (head.startsWith("RIFF") && head.slice(8, 12) === "AVI ")
  );
}

async function isAnimatedWebp(path: string): Promise<boolean> {
  const head = await readHead(path, 21);
  return /^RIFF[^]{4}WEBPVP8X/.test(head) && (head.charCodeAt(20) & ANIMATION_FLAG) > 0;
}

async function readHead(path: string, bytes: number): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read({ buffer: Buffer.alloc(bytes), position: 0 });
  return buffer.subarray(0, bytesRead).toString("latin1");
}

/** By ffmpeg's names. Raw streams have no timestamps. */
const NAMES: Readonly<Record<string, string>> = {
  vvc: "raw H.266 (VVC)",
  h264: "raw H.264",
  hevc: "raw H.265",
  obu: "raw AV1",
  ivf: "IVF",
  rm: "RealMedia",
  nut: "NUT",
  wtv: "WTV",
  swf: "Flash (SWF)",
  yuv4mpegpipe: "YUV4MPEG",
};
const PROBED = /^\[\S+ @ [^\]]*\] Format (\w+) probed with size=/m;

/**
 * `stderr` is ffmpeg's output when it failed to open the file; `readDebugLog` returns it at level "debug". Null for
 * formats that are not rejected.
 */
export async function nameRejectedFormat(
  path: string,
  stderr: string,
  readDebugLog: () => Promise<string>,
): Promise<string | null> {
  const [, demuxer] = /^\[(\S+) @ [^\]]*\] Format not on whitelist/m.exec(stderr) ?? [];
  // ffmpeg 9 names the input instead of the format.
  const format = demuxer?.includes("#") ? PROBED.exec(await readDebugLog())?.[1] : demuxer;
  if (format !== undefined && Object.hasOwn(NAMES, format)) return NAMES[format]!;
  return (await isAnimatedWebp(path)) ? "animated WebP" : null;
}
