import { ClipmillError } from "#contract/errors.ts";
import type { Codecs } from "./codecs.ts";
import type { Description } from "./probe-report.ts";

/** Throws ClipmillError "unsupported_codec" for a file whose video or audio no allowed decoder can read. */
export function requireAllowedCodecs(
  { refusedVideo, refusedAudio }: Pick<Description, "refusedVideo" | "refusedAudio">,
  use: "video" | "music",
  { names }: Pick<Codecs, "names">,
): void {
  const refuse = (codec: string, what: string, remedy: string): never => {
    const name = names.get(codec) ?? "an unknown codec";
    const sentence = `${what} uses ${name}, which Clipmill does not decode. ${remedy} first.`;
    throw new ClipmillError("unsupported_codec", sentence, { facts: { codec } });
  };
  if (use === "music") {
    if (refusedAudio !== null) refuse(refusedAudio, "This music", "Convert it to AAC or MP3");
    return;
  }
  if (refusedVideo !== null) refuse(refusedVideo, "This video", "Convert it to H.264");
  if (refusedAudio !== null) refuse(refusedAudio, "The sound of this video", "Convert it to AAC");
}
