import { useAcceptedSources } from "../../sources/use-accepted-sources.ts";
import { parseAudioLink } from "#contract/sources/links.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { WarningNote } from "../../ui/states/warning-note.tsx";

export function LinkWarnings({ items }: { items: readonly string[] }) {
  const accepted = useAcceptedSources();
  const unusable = items.filter((link) => !parseAudioLink(link, accepted)).length;
  if (unusable === 0) return null;
  const text = `${pluralize(unusable, "line")} can't be used in a job. Use links to Google Drive files or Instagram posts, reels or audio.`;
  return <WarningNote text={text} />;
}
