import { compareNumbers, knownHolesOf } from "#contract/settings/ffmpeg-vulnerabilities.ts";
import type { FfmpegOrigin } from "#contract/settings/system.ts";
import type { Codecs } from "../probe/formats/codecs.ts";

export type Ffmpeg = {
  file: string;
  origin: FfmpegOrigin;
  version: string;
  /** Major, minor and micro version of libavutil; unlike `version`, in one format in all builds. */
  library: readonly number[];
  /** zscale converts colors exactly and HDR to SDR. */
  hasZscale: boolean;
  /** In software. */
  encodesHevc: boolean;
  codecs: Codecs;
};

export function rankFfmpegs(found: readonly Ffmpeg[]): Ffmpeg[] {
  return found.toSorted(
    (a, b) =>
      Number(knownHolesOf(a.version).length > 0) - Number(knownHolesOf(b.version).length > 0) ||
      compareNumbers(b.library, a.library) ||
      Number(b.origin === "bundled") - Number(a.origin === "bundled"),
  );
}
