import { CaptionNotes } from "../../sets/editor/caption-notes.tsx";
import { useCaptionCheck } from "../../sets/editor/use-caption-check.ts";

/** What a job would say about the captions of a set, at the usual position and size. */
export function CaptionWarnings({ items }: { items: readonly string[] }) {
  return <CaptionNotes check={useCaptionCheck({ captions: items })} />;
}
