import type { MissingLimit, WorkerMedia } from "./system.ts";

/**
 * Vulnerabilities that a video file can reach, with the first fix in each branch. The decoder allowlist excludes
 * MagicYUV, but a build without its fix still ranks lower.
 */
const KNOWN_HOLES = [
  { id: "CVE-2026-8461", fixedIn: ["7.1.5", "8.0.3", "8.1.2"] },
  { id: "CVE-2026-40962", fixedIn: ["7.1.4", "8.1.0"] },
];

/** The first release of each branch that has every fix. */
export const SAFE_RELEASES = ["7.1.5", "8.1.2"];

/**
 * Vulnerabilities that the release number does not rule out. A distribution's patches cannot be detected. A git build
 * rules out none.
 */
export function knownHolesOf(version: string): string[] {
  const release = releaseOf(version);
  return KNOWN_HOLES.filter(({ fixedIn }) => release === null || !hasFix(release, fixedIn)).map(({ id }) => id);
}

function hasFix(release: number[], fixedIn: readonly string[]): boolean {
  const fixes = fixedIn.map((fix) => fix.split(".").map(Number));
  const ofBranch = fixes.find((fix) => fix[0] === release[0] && fix[1] === release[1]);
  return compareNumbers(release, ofBranch ?? fixes.at(-1)!) >= 0;
}

/** Parses "7.1.4-0+deb13u1" and "n7.1.4-2-g0123456789" to [7, 1, 4]; null if the version is only a commit. */
function releaseOf(version: string): number[] | null {
  const [, major, minor, patch] = /^n?(\d+)\.(\d+)(?:\.(\d+))?/.exec(version) ?? [];
  return major === undefined ? null : [Number(major), Number(minor), Number(patch ?? 0)];
}

/** Orders version numbers: negative if `a` is older. */
export function compareNumbers(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, i) => number !== b[i]);
  return at < 0 ? 0 : a[at]! - (b[at] ?? 0);
}

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
