import { Button } from "../../../ui/buttons/button.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import type { EditorView } from "../draft/transcript-editor.ts";

/** Warns if edits cannot be saved, and offers the choice between two versions. */
export function EditorNotes({
  view: { theirs, failure, isKept },
  onResolve,
}: {
  view: EditorView;
  onResolve: (version: "mine" | "theirs") => void;
}) {
  if (!theirs && failure === null && isKept) return null;
  return (
    <div role="alert" className="grid gap-2 border-b border-line px-6 py-3 max-desk:px-4">
      {theirs && (
        <div className="flex flex-wrap items-center gap-2">
          <div className="min-w-0 flex-1 basis-72">
            <WarningNote text="Someone else changed the same lines. Keep your version or theirs? Undo brings back the other one." />
          </div>
          <Button onClick={() => onResolve("theirs")}>Keep theirs</Button>
          <Button onClick={() => onResolve("mine")}>Keep mine</Button>
        </div>
      )}
      {failure !== null && <ErrorBox text={failure} />}
      {!isKept && (
        <WarningNote text="This browser can't store unsaved changes. Stay on this page until they are saved." />
      )}
    </div>
  );
}
