import { Eye, EyeOff, Merge, Pencil, Redo2, Replace, Split, Trash2, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";

/** Below the header; on a phone, at the bottom. */
export function EditToolbar({
  canUndo,
  canRedo,
  isHidden,
  onUndo,
  onRedo,
  onEdit,
  onSplit,
  onJoin,
  onHide,
  onDelete,
  onFind,
  children,
}: {
  canUndo: boolean;
  canRedo: boolean;
  /** Of the selected word. */
  isHidden: boolean;
  onUndo: () => void;
  onRedo: () => void;
  onEdit: () => void;
  onSplit: () => void;
  onJoin: () => void;
  onHide: () => void;
  onDelete: () => void;
  onFind: () => void;
  /** Below the buttons; on a phone, above them. */
  children: ReactNode;
}) {
  return (
    <div className="sticky top-(--h-top) z-[3] flex flex-col border-b border-line bg-pane max-desk:fixed max-desk:inset-x-0 max-desk:top-auto max-desk:bottom-0 max-desk:z-[4] max-desk:flex-col-reverse max-desk:border-t max-desk:border-b-0">
      <div
        role="toolbar"
        aria-label="Edit"
        className="flex items-center gap-1 px-5 py-1.5 max-desk:justify-between max-desk:gap-0 max-desk:px-2 max-desk:py-1"
      >
        <IconButton icon={Undo2} label="Undo" aria-keyshortcuts="Control+Z" disabled={!canUndo} onClick={onUndo} />
        <IconButton icon={Redo2} label="Redo" aria-keyshortcuts="Control+Y" disabled={!canRedo} onClick={onRedo} />
        <Divider />
        <IconButton icon={Pencil} label="Edit the word" aria-keyshortcuts="Enter" onClick={onEdit} />
        <IconButton
          icon={isHidden ? Eye : EyeOff}
          label={isHidden ? "Show the word" : "Hide the word"}
          aria-keyshortcuts="h"
          onClick={onHide}
        />
        <IconButton icon={Trash2} label="Delete the word" aria-keyshortcuts="Delete" onClick={onDelete} />
        <Divider />
        <IconButton icon={Split} label="Split the line before the word" aria-keyshortcuts="s" onClick={onSplit} />
        <IconButton icon={Merge} label="Join with the line above" aria-keyshortcuts="m" onClick={onJoin} />
        <Divider />
        <IconButton icon={Replace} label="Find and replace" aria-keyshortcuts="f" onClick={onFind} />
      </div>
      {children}
    </div>
  );
}

function Divider() {
  return <span aria-hidden className="mx-1 h-4 w-px bg-line-strong max-desk:hidden" />;
}
