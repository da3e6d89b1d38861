import type { VideoStage } from "#contract/jobs.ts";
import { reportVideo } from "#operations/jobs/report-video.ts";
import type { Context } from "#operations/context.ts";

const SHORTEST_GAP_MS = 200;

type Progress = { stage: VideoStage; share: number; outputs: ReadonlyMap<string, number> };

/**
 * Writes a video's progress at most every 200 ms, the newest state winning. `settle` writes what is left and
 * surfaces the first write that failed.
 */
export function createProgressReporter(
  context: Pick<Context, "db">,
  video: { jobId: string; videoId: string; attempt: number },
): { report(progress: Progress): void; settle(): Promise<void> } {
  let newest: Progress | null = null;
  let writing: Promise<void> | null = null;
  let isSettling = false;

  const writeAll = async (): Promise<void> => {
    while (newest) {
      const progress: Progress = newest;
      newest = null;
      await reportVideo(context, { ...video, ...progress });
      if (!isSettling) await new Promise((resolve) => setTimeout(resolve, SHORTEST_GAP_MS));
    }
    writing = null;
  };
  return {
    report(progress) {
      newest = progress;
      writing ??= writeAll();
      // A failed write surfaces in `settle`; until then it must not count as unhandled.
      writing.catch(() => {});
    },
    async settle() {
      isSettling = true;
      await writing;
    },
  };
}
