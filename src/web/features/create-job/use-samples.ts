import { useQuery } from "@tanstack/react-query";
import type { LibraryFile } from "#contract/calls.ts";
import { libraryQuery } from "../../sources/use-library.ts";

const POLL_MS = 1_000;

export type Samples = {
  /** Empty until all samples exist. */
  isRendering: boolean;
  videoLinks: string[];
  trackLinks: string[];
};

const NONE: Samples = { isRendering: false, videoLinks: [], trackLinks: [] };

/** Returns no samples on failure; they are optional. */
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
