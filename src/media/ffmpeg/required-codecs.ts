import { ClipmillError, type ErrorDetails } from "#contract/errors.ts";
import type { Codecs } from "../probe/formats/codecs.ts";
import type { Description } from "../probe/probe-report.ts";
import type { Decodability } from "../probe/try-decoding.ts";

const UNSUPPORTED_FORMATS: Readonly<Record<string, string>> = { vvc: "H.266 (VVC)" };

type Use = "video" | "music";

/** Throws ClipmillError "unsupported_codec" if no allowed decoder reads the stream in use. */
export function requireAllowedCodecs(
  { unsupportedVideo, unsupportedAudio }: Pick<Description, "unsupportedVideo" | "unsupportedAudio">,
  use: Use,
  codecs: Pick<Codecs, "names">,
): void {
  if (use === "music" && unsupportedAudio !== null) {
    throw unsupportedCodec(unsupportedAudio, "This music", "Convert it to AAC or MP3", codecs);
  }
  if (use === "video" && unsupportedVideo !== null) {
    throw unsupportedCodec(unsupportedVideo, "This video", "Convert it to H.264", codecs);
  }
}

/**
 * Throws ClipmillError "unsupported_codec" if the decoder of the stream in use does not implement its profile.
 * `decodability` lists the video, then the audio.
 */
export function requireDecodable(
  { video, audio }: Pick<Description, "video" | "audio">,
  decodability: readonly Decodability[],
  use: Use,
  codecs: Pick<Codecs, "names">,
): void {
  const [what, remedy, stream] =
    use === "music" ? (["This music", "AAC-LC or MP3", audio] as const) : (["This video", "H.264", video] as const);
  const place = [video, audio].filter((one) => one !== null).indexOf(stream!);
  if (stream && decodability[place] === "unsupported") throw unsupportedVariant(stream.codec, what, remedy, codecs);
}

/**
 * Returns why a video's own sound cannot be decoded, or null. Outputs whose sound is replaced do not need it.
 * `decodability` is that of the audio.
 */
export function findSoundError(
  { audio, unsupportedAudio }: Pick<Description, "audio" | "unsupportedAudio">,
  decodability: Decodability | undefined,
  codecs: Pick<Codecs, "names">,
): ClipmillError | null {
  const what = "The sound of this video";
  if (unsupportedAudio !== null) return unsupportedCodec(unsupportedAudio, what, "Convert it to AAC", codecs);
  return audio && decodability === "unsupported" ? unsupportedVariant(audio.codec, what, "AAC-LC", codecs) : null;
}

function unsupportedCodec(
  codec: string,
  what: string,
  remedy: string,
  { names }: Pick<Codecs, "names">,
): ClipmillError {
  const format = UNSUPPORTED_FORMATS[codec];
  if (format !== undefined) return unsupportedFormat(format, remedy, { facts: { codec } });
  const name = names.get(codec) ?? "an unknown codec";
  const sentence = `${what} uses ${name}, which Clipmill cannot decode. ${remedy} first.`;
  return new ClipmillError("unsupported_codec", sentence, { facts: { codec } });
}

function unsupportedVariant(
  codec: string,
  what: string,
  remedy: string,
  { names }: Pick<Codecs, "names">,
): ClipmillError {
  const name = names.get(codec) ?? codec;
  const sentence = `${what} uses a variant of ${name} that Clipmill cannot decode. Convert it to ${remedy} first.`;
  return new ClipmillError("unsupported_codec", sentence, { facts: { codec } });
}

export function unsupportedFormat(format: string, remedy: string, details: ErrorDetails): ClipmillError {
  return new ClipmillError("unsupported_codec", `This format is not supported: ${format}. ${remedy} first.`, details);
}
