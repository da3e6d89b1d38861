type FailedVideo = { position: number; error_message: string | null };

/** The job's page shows all reasons. */
const MAX_NAMED = 3;

export function describeFailures(failed: FailedVideo[], videos: number, files: number): string | null {
  if (failed.length === 0) return null;
  if (videos === 1) return failed[0]!.error_message;
  const named = failed
    .slice(0, MAX_NAMED)
    .map((video) => `Video ${video.position + 1}: ${video.error_message ?? "No reason was recorded."}`);
  const more = failed.length > MAX_NAMED ? ` And ${failed.length - MAX_NAMED} more.` : "";
  const ready = files === 0 ? "" : files === 1 ? ", 1 file is ready" : `, ${files} files are ready`;
  return `${failed.length} of ${videos} videos failed${ready}. ${named.join(" ")}${more}`;
}
