import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ModelKind } from "#contract/settings/models.ts";
import { loadSettings, settingsKey } from "../api/functions/settings/settings.ts";
import { sectionLink } from "../app/routing/settings-sections.ts";
import { WarningNote } from "../ui/states/warning-note.tsx";

/** Renders nothing if the key is saved, or if this kind of model has its own key or server. */
export function OpenAiKeyNote({ kind }: { kind: ModelKind }) {
  const { data } = useQuery({ queryKey: settingsKey, queryFn: ({ signal }) => loadSettings(signal) });
  if (!data || data.openai_key.set || data[`${kind}_key`].set || data[`${kind}_base_url`] !== null) return null;
  return (
    <WarningNote text="Generating needs an OpenAI API key. ">
      <Link {...sectionLink("api-keys")} className="rounded-1 underline underline-offset-2">
        Add one in Settings
      </Link>
      .
    </WarningNote>
  );
}
