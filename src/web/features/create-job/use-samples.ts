import { useQuery } from "@tanstack/react-query";
import type { LibraryFile } from "#contract/calls.ts";
import { libraryQuery } from "../../sources/use-library.ts";

/** Poll interval while the first start makes the samples. */
const POLL_MS = 1_000;

export type Samples = {
  /** The links stay empty until all samples exist. */
  isRendering: boolean;
  videoLinks: string[];
  trackLinks: string[];
};

const NONE: Samples = { isRendering: false, videoLinks: [], trackLinks: [] };

/** Returns Clipmill's sample clips and track; none on failure, since nothing else depends on them. */
export function useSamples(): Samples {
  const { data } = useQuery({
    ...libraryQuery,
    refetchInterval: (query) => (query.state.data?.isReady === false ? POLL_MS : false),
  });
  if (!data) return NONE;
  if (!data.isReady) return { ...NONE, isRendering: true };
  return {
    isRendering: false,
    videoLinks: sampleLinks(data.data, "video"),
    trackLinks: sampleLinks(data.data, "audio"),
  };
}

function sampleLinks(files: LibraryFile[], kind: LibraryFile["kind"]): string[] {
  return files.filter((file) => file.isSample && file.kind === kind).map((file) => file.link);
}
