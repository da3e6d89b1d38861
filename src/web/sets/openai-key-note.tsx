import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { loadSettings, settingsKey } from "../api/functions/settings/settings.ts";
import { sectionLink } from "../app/routing/settings-sections.ts";
import { WarningNote } from "../ui/states/warning-note.tsx";

/** Renders nothing if the key is saved. */
export function OpenAiKeyNote() {
  const { data } = useQuery({ queryKey: settingsKey, queryFn: ({ signal }) => loadSettings(signal) });
  if (data?.openai_key.set !== false) return null;
  return (
    <WarningNote text="Generating needs an OpenAI API key. ">
      <Link {...sectionLink("api-keys")} className="rounded-1 underline underline-offset-2">
        Add one in Settings
      </Link>
      .
    </WarningNote>
  );
}
