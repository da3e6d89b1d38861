import type { LibraryKind } from "#contract/calls.ts";
import type { UploadUse } from "#contract/library.ts";
import { requireAudio, requireVideo } from "#media/render/required-streams.ts";
import type { UploadIntake } from "./upload-intake.ts";

export type InspectedUpload = {
  kind: LibraryKind;
  /** 0 for images. */
  durationSeconds: number;
  /** Null for music, or if it failed. */
  drawThumbnail(): Promise<Uint8Array | null>;
};

/** Throws ClipmillError "not_a_video", "not_audio", "not_an_image", "too_large", "damaged" or the probe's. */
export async function inspectUpload(
  intake: Pick<UploadIntake, "probe" | "drawThumbnail" | "drawImageThumbnail">,
  path: string,
  { use, signal }: { use: UploadUse; signal: AbortSignal },
): Promise<InspectedUpload> {
  if (use === "image") {
    // also shows that it can be decoded
    const thumbnail = await intake.drawImageThumbnail(path, signal);
    return { kind: "image", durationSeconds: 0, drawThumbnail: () => Promise.resolve(thumbnail) };
  }
  const found = await intake.probe(path, { use, signal });
  if (use === "video") requireVideo(found);
  else requireAudio(found);
  return {
    kind: found.video ? "video" : "audio",
    durationSeconds: found.durationSeconds,
    drawThumbnail: async () => (found.video ? await intake.drawThumbnail(path, signal) : null),
  };
}
