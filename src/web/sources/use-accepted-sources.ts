import { useQuery } from "@tanstack/react-query";
import type { SettingsResponse } from "#contract/settings/settings.ts";
import { type AcceptedSources, SPECIFIED_SOURCES } from "#contract/sources/accepted-sources.ts";
import { loadSettings, settingsKey } from "../api/functions/settings/settings.ts";

/** Returns the sources of a fresh installation until the settings load. */
export function useAcceptedSources(): AcceptedSources {
  const { data } = useQuery({
    queryKey: settingsKey,
    queryFn: ({ signal }) => loadSettings(signal),
    select: toAccepted,
  });
  return data ?? SPECIFIED_SOURCES;
}

function toAccepted({
  source_hosts: hosts,
  private_sources: privateSources,
  can_transcribe: canTranscribe,
}: SettingsResponse): AcceptedSources {
  return { hosts, privateSources, canTranscribe };
}
