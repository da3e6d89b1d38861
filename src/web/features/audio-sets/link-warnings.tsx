import { parseAudioLink } from "#contract/links.ts";
import { countWords } from "../../jobs/count-words.ts";
import { WarningNote } from "../../ui/warning-note.tsx";

/** How many lines of a set a job could not use. */
export function LinkWarnings({ items }: { items: readonly string[] }) {
  const unusable = items.filter((link) => !parseAudioLink(link)).length;
  if (unusable === 0) return null;
  const text = `${countWords(unusable, "line")} cannot be used in a job: only links of Google Drive files and Instagram posts, reels and audio can.`;
  return <WarningNote text={text} />;
}
