import type { WatchFolder } from "#contract/watch-folders/watch-folders.ts";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { WarningNote } from "../../ui/states/warning-note.tsx";

export function FolderNotes({ folder: { pause_reason: reason, last_fault: failure } }: { folder: WatchFolder }) {
  if (reason !== null) return <WarningNote text={`Paused: ${reason}`} />;
  return failure === null ? null : <ErrorBox text={failure} />;
}
