import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect } from "react";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { listAudioSets, listCaptionSets } from "../../../api/functions/set-functions.ts";
import type { SavedSet } from "../../../api/set-tables.ts";
import { loadSettings, settingsKey } from "../../../api/functions/settings/settings.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import type { SetKind } from "../sets/set-texts.ts";

export type SavedSets = {
  sets: readonly SavedSet[];
  /** True after the first fetch since mounting: an unlisted set no longer exists. */
  isCurrent: boolean;
  isMissing: boolean;
  reload: () => void;
  add: (set: SavedSet) => void;
};

const NO_SETS: readonly SavedSet[] = [];
const KEYS = {
  caption: ["create-job", "caption-sets"],
  audio: ["create-job", "audio-sets"],
} as const;

/** The form works without this data. */
export function useInitialData(): { caption: SavedSets; audio: SavedSets; settings: SettingsResponse | undefined } {
  const captionSets = useQuery({
    queryKey: KEYS.caption,
    queryFn: ({ signal }) => listCaptionSets(signal),
    staleTime: 0,
  });
  const audioSets = useQuery({ queryKey: KEYS.audio, queryFn: ({ signal }) => listAudioSets(signal), staleTime: 0 });
  const settings = useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => loadSettings(signal),
    staleTime: 0,
  });
  useFailureToast([captionSets, audioSets, settings].some((query) => query.isLoadingError));
  return {
    caption: useSavedSets("caption", captionSets),
    audio: useSavedSets("audio", audioSets),
    settings: settings.isFetchedAfterMount ? settings.data : undefined,
  };
}

function useSavedSets(kind: SetKind, query: UseQueryResult<SavedSet[]>): SavedSets {
  const client = useQueryClient();
  return {
    sets: query.data ?? NO_SETS,
    isCurrent: query.isFetchedAfterMount && query.isSuccess,
    isMissing: query.isLoadingError,
    reload: () => void query.refetch(),
    add: (set) => client.setQueryData<SavedSet[]>(KEYS[kind], (existing) => [set, ...(existing ?? [])]),
  };
}

function useFailureToast(isFailed: boolean) {
  const toast = useToast();
  useEffect(() => {
    if (isFailed) toast.show({ title: "Error", description: "Failed to load initial data", variant: "destructive" });
  }, [isFailed, toast]);
}
