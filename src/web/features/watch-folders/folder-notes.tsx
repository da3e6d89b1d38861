import type { WatchFolder } from "#contract/watch-folders/watch-folders.ts";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { WarningNote } from "../../ui/states/warning-note.tsx";

export function FolderNotes({ folder: { pause_reason: reason, last_fault: fault } }: { folder: WatchFolder }) {
  if (reason !== null) return <WarningNote text={`Paused: ${reason}`} />;
  return fault === null ? null : <ErrorBox text={fault} />;
}
