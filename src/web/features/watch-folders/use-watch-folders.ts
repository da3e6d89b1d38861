import { useInfiniteQuery, useQuery, useQueryClient } from "@tanstack/react-query";
import { type WatchFileState, WATCH_LIMITS } from "#contract/watch-folders/watch-folders.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { listWatchFiles, listWatchFolders } from "../../api/functions/watch-folders.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../ui/use-exclusive-action.ts";

const foldersKey = ["watch-folders"] as const;
const filesKey = ["watch-files"] as const;

/** Files arrive at any time; a check takes seconds. */
const REFRESH_MS = 5_000;
/** Each page is a call, so longer lists are refreshed on request. */
const REFRESHED_PAGES = 2;

export function useWatchFolders() {
  return useQuery({
    queryKey: foldersKey,
    queryFn: ({ signal }) => listWatchFolders(signal),
    staleTime: 0,
    refetchInterval: REFRESH_MS,
    refetchOnWindowFocus: "always",
  });
}

export function useWatchFiles(id: string, state: WatchFileState | null) {
  return useInfiniteQuery({
    queryKey: [...filesKey, id, state],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam, signal }) => listWatchFiles({ id, state, after: pageParam }, signal),
    getNextPageParam: (last) => (last.length < WATCH_LIMITS.filesPerPage ? undefined : last.at(-1)!.id),
    refetchInterval: ({ state: { data } }) => ((data?.pages.length ?? 0) <= REFRESHED_PAGES ? REFRESH_MS : false),
    gcTime: 0,
  });
}

/** Runs one change at a time, then refetches. Shows failures as toasts. */
export function useWatchChange() {
  const toast = useToast();
  const client = useQueryClient();
  const { isBusy, run } = useExclusiveAction();
  const refetch = () => Promise.all([foldersKey, filesKey].map((queryKey) => client.invalidateQueries({ queryKey })));

  async function attempt(failure: string, act: () => Promise<void>) {
    try {
      await act();
    } catch (error) {
      const description = error instanceof CallError ? error.message : failure;
      toast.show({ title: "Error", description, variant: "destructive" });
    }
    await refetch();
  }
  return {
    isBusy,
    refetch,
    change: (failure: string, act: () => Promise<void>) => void run(() => attempt(failure, act)),
  };
}
