import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent } from "react";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { leaveOut } from "../draft/use-address-requests.ts";
import type { PresetChoice } from "./use-preset-choice.ts";

/** Applies `?preset=<id>` once and removes it, so that a reload keeps later edits. */
export function usePresetRequest({ presets, apply }: PresetChoice): void {
  const address: Record<string, unknown> = useSearch({ strict: false });
  const requested = typeof address.preset === "string" ? address.preset : null;
  const isLoaded = presets !== undefined;
  const toast = useToast();
  const navigate = useNavigate();
  const applyRequested = useEffectEvent((id: string) => {
    if (presets?.some((preset) => preset.id === id)) apply(id);
    else toast.show({ title: "Error", description: "This preset no longer exists.", variant: "destructive" });
    leaveOut(navigate, "preset");
  });
  useEffect(() => {
    if (requested !== null && isLoaded) applyRequested(requested);
  }, [requested, isLoaded]);
}
