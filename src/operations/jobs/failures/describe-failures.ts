type FailedVideo = { position: number; error_message: string | null };

/** Reasons named in full; the job's page has them all. */
const MOST_NAMED = 3;

/** The job's error_message: which of its videos failed and why, or null when none did. */
export function describeFailures(failed: FailedVideo[], videos: number, files: number): string | null {
  if (failed.length === 0) return null;
  if (videos === 1) return failed[0]!.error_message;
  const named = failed
    .slice(0, MOST_NAMED)
    .map((video) => `Video ${video.position + 1}: ${video.error_message ?? "No reason was recorded."}`);
  const more = failed.length > MOST_NAMED ? ` And ${failed.length - MOST_NAMED} more.` : "";
  const ready = files === 0 ? "" : files === 1 ? ", 1 file is ready" : `, ${files} files are ready`;
  return `${failed.length} of ${videos} videos failed${ready}. ${named.join(" ")}${more}`;
}
