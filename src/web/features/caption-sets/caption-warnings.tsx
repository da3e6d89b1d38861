import { CaptionNotes } from "../../sets/editor/caption-notes.tsx";
import { useCaptionCheck } from "../../sets/editor/use-caption-check.ts";

/** Assumes the default position and size. */
export function CaptionWarnings({ items }: { items: readonly string[] }) {
  return <CaptionNotes check={useCaptionCheck({ captions: items })} />;
}
