/** Low bytes of ffmpeg's negative error numbers. */
export const EXIT_CODES = {
  noSpace: 256 - 28,
  noMemory: 256 - 12,
  invalidData: 183,
  noDecoder: 8,
  notImplemented: 176,
  /** ENOSYS, by a library. */
  notInLibrary: 218,
  bug: 190,
  /** In a library such as zscale. */
  externalFailure: 187,
  outOfRange: 222,
  invalidArgument: 256 - 22,
} as const;

/** Texts of av_strerror and strerror. */
const BY_TEXT: Readonly<Record<string, number>> = {
  "No space left on device": EXIT_CODES.noSpace,
  "Cannot allocate memory": EXIT_CODES.noMemory,
  "Invalid data found when processing input": EXIT_CODES.invalidData,
  "Decoder not found": EXIT_CODES.noDecoder,
  "Not yet implemented in FFmpeg, patches welcome": EXIT_CODES.notImplemented,
  "Function not implemented": EXIT_CODES.notInLibrary,
  "Internal bug, should not have happened": EXIT_CODES.bug,
  "Generic error in an external library": EXIT_CODES.externalFailure,
  "Numerical result out of range": EXIT_CODES.outOfRange,
  "Invalid argument": EXIT_CODES.invalidArgument,
};

const WITH_REASON = /: ([A-Z][^:]*)$/;
/** ffmpeg 6.0 and older report success if the end of a file could not be written. */
const UNWRITTEN = /^Error writing trailer of /m;

/**
 * Returns the exit code of ffmpeg 6.1 and newer, the low byte of the error number. Older ones exit with 1 for any error:
 * the last line with a reason names it. Null for a signal.
 */
export function readExitCode(exitCode: number | null, tail: string): number | null {
  if (exitCode !== 1 && !(exitCode === 0 && UNWRITTEN.test(tail))) return exitCode;
  const reasons = tail.split("\n").map((line) => WITH_REASON.exec(line.trim())?.[1]);
  return BY_TEXT[reasons.findLast((reason) => reason !== undefined) ?? ""] ?? 1;
}
