import { ClipmillError, type ErrorDetails } from "#contract/errors.ts";
import type { Codecs } from "../probe/formats/codecs.ts";
import type { Description } from "../probe/probe-report.ts";
import type { Decodability } from "../probe/try-decoding.ts";

const UNSUPPORTED_FORMATS: Readonly<Record<string, string>> = { vvc: "H.266 (VVC)" };

type Use = "video" | "music";

/** Throws ClipmillError "unsupported_codec" if no allowed decoder reads the video or audio. */
export function requireAllowedCodecs(
  { refusedVideo, refusedAudio }: Pick<Description, "refusedVideo" | "refusedAudio">,
  use: Use,
  { names }: Pick<Codecs, "names">,
): void {
  const refuse = (codec: string, what: string, remedy: string): never => {
    const format = UNSUPPORTED_FORMATS[codec];
    if (format !== undefined) throw unsupportedFormat(format, remedy, { facts: { codec } });
    const name = names.get(codec) ?? "an unknown codec";
    const sentence = `${what} uses ${name}, which Clipmill cannot decode. ${remedy} first.`;
    throw new ClipmillError("unsupported_codec", sentence, { facts: { codec } });
  };
  if (use === "music") {
    if (refusedAudio !== null) refuse(refusedAudio, "This music", "Convert it to AAC or MP3");
    return;
  }
  if (refusedVideo !== null) refuse(refusedVideo, "This video", "Convert it to H.264");
  if (refusedAudio !== null) refuse(refusedAudio, "The sound of this video", "Convert it to AAC");
}

/**
 * Throws ClipmillError "unsupported_codec" if a decoder does not implement its stream's profile. `decodability` lists
 * the video, then the audio.
 */
export function requireDecodable(
  { video, audio }: Pick<Description, "video" | "audio">,
  decodability: readonly Decodability[],
  use: Use,
  { names }: Pick<Codecs, "names">,
): void {
  const streams = [video, audio].filter((stream) => stream !== null);
  for (const [i, stream] of streams.entries()) {
    if (decodability[i] !== "unsupported" || (use === "music" && stream === video)) continue;
    const what = use === "music" ? "This music" : stream === video ? "This video" : "The sound of this video";
    const remedy = stream === video ? "H.264" : use === "music" ? "AAC-LC or MP3" : "AAC-LC";
    const name = names.get(stream.codec) ?? stream.codec;
    const sentence = `${what} uses a variant of ${name} that Clipmill cannot decode. Convert it to ${remedy} first.`;
    throw new ClipmillError("unsupported_codec", sentence, { facts: { codec: stream.codec } });
  }
}

export function unsupportedFormat(format: string, remedy: string, details: ErrorDetails): ClipmillError {
  return new ClipmillError("unsupported_codec", `This format is not supported: ${format}. ${remedy} first.`, details);
}
