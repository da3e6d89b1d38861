import { knownHolesOf, SAFE_RELEASES } from "./ffmpeg-vulnerabilities.ts";
import type { MissingLimit, WorkerMedia } from "./system.ts";

type Media = Pick<WorkerMedia, "ffmpeg" | "origin" | "missingLimits">;

const CANNOT: Record<MissingLimit, string> = {
  memory: "limit ffmpeg's memory (prlimit does not work)",
  network: "keep ffmpeg off the network (unshare does not work)",
};

/** Returns a text for each risk of a machine's ffmpeg: what it is and what to do. */
export function describeFfmpegRisks(media: Media): string[] {
  return [
    ...(media.missingLimits.length > 0 ? [describeMissingLimits(media.missingLimits)] : []),
    ...(knownHolesOf(media.ffmpeg).length > 0 ? [describeKnownHoles(media)] : []),
  ];
}

function describeMissingLimits(limits: readonly MissingLimit[]): string {
  return `This machine cannot ${limits.map((limit) => CANNOT[limit]).join(" or ")}. Malicious files can do more harm here.`;
}

function describeKnownHoles({ ffmpeg, origin, missingLimits }: Media): string {
  const isolation = missingLimits.length > 0 ? "" : "; Clipmill isolates it";
  const safe = `${SAFE_RELEASES.join(", ")} or newer`;
  const name = `ffmpeg ${shortVersion(ffmpeg)}`;
  if (origin === "bundled")
    return `${name} has known vulnerabilities${isolation}. Install ffmpeg ${safe} to replace it.`;
  // A distribution's fixes keep the version number.
  return `${name} may have known vulnerabilities${isolation}. Update it to ${safe}, unless your distribution has fixed it.`;
}

/** Omits a builder's suffix: "7.1.4" for "7.1.4-0+deb13u1". */
export function shortVersion(ffmpeg: string): string {
  return /^n?(\d+(?:\.\d+)+)/.exec(ffmpeg)?.[1] ?? ffmpeg;
}
