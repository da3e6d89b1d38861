import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { BrandKit, Preset } from "#contract/presets/presets.ts";
import { brandKitTable, presetTable } from "../api/preset-tables.ts";

const presetsKey = ["presets"] as const;
const brandKitsKey = ["brand-kits"] as const;

/** Refetches on focus: other tabs and users change presets too. */
export function usePresets() {
  return useQuery({
    queryKey: presetsKey,
    queryFn: ({ signal }) => presetTable.list(signal),
    staleTime: 0,
    refetchOnWindowFocus: "always",
  });
}

export function useBrandKits(isNeeded = true) {
  return useQuery({
    queryKey: brandKitsKey,
    queryFn: ({ signal }) => brandKitTable.list(signal),
    enabled: isNeeded,
    staleTime: 0,
    refetchOnWindowFocus: "always",
  });
}

export function usePresetLists() {
  const client = useQueryClient();
  return {
    putPreset: (saved: Preset) =>
      client.setQueryData<Preset[]>(presetsKey, (list) => list && placeByName(list, saved).map(onlyDefault(saved))),
    dropPreset: (id: string) =>
      client.setQueryData<Preset[]>(presetsKey, (list) => list?.filter((one) => one.id !== id)),
    putBrandKit: (saved: BrandKit) =>
      client.setQueryData<BrandKit[]>(brandKitsKey, (list) => list && placeByName(list, saved)),
    dropBrandKit: (id: string) =>
      client.setQueryData<BrandKit[]>(brandKitsKey, (list) => list?.filter((one) => one.id !== id)),
    /** A brand kit's change also changes presets' settings. */
    refetch: () => Promise.all([presetsKey, brandKitsKey].map((queryKey) => client.invalidateQueries({ queryKey }))),
  };
}

function placeByName<Row extends { id: string; name: string }>(list: readonly Row[], saved: Row): Row[] {
  return [...list.filter((one) => one.id !== saved.id), saved].toSorted((a, b) => a.name.localeCompare(b.name, "en"));
}

function onlyDefault(saved: Preset): (one: Preset) => Preset {
  return (one) => (saved.is_default && one.id !== saved.id && one.is_default ? { ...one, is_default: false } : one);
}
