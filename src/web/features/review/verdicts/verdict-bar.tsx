import { Check, ChevronLeft, ChevronRight, Undo2, X } from "lucide-react";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";

export function VerdictBar({
  canUndo,
  onStep,
  onUndo,
  onReject,
  onApprove,
}: {
  canUndo: boolean;
  onStep: (by: 1 | -1) => void;
  onUndo: () => void;
  onReject: () => void;
  onApprove: () => void;
}) {
  return (
    <div className="flex items-center gap-1 max-desk:fixed max-desk:inset-x-0 max-desk:bottom-0 max-desk:z-[4] max-desk:gap-2 max-desk:border-t max-desk:border-line max-desk:bg-pane max-desk:p-2">
      <IconButton icon={ChevronLeft} label="Previous file" aria-keyshortcuts="ArrowLeft" onClick={() => onStep(-1)} />
      <IconButton icon={ChevronRight} label="Next file" aria-keyshortcuts="ArrowRight" onClick={() => onStep(1)} />
      <IconButton icon={Undo2} label="Undo" aria-keyshortcuts="u" disabled={!canUndo} onClick={onUndo} />
      <Button icon={X} aria-keyshortcuts="r" className="ml-1 max-desk:flex-1" onClick={onReject}>
        Reject
      </Button>
      <Button
        icon={Check}
        look="primary"
        aria-keyshortcuts="a"
        className="ml-1 max-desk:ml-0 max-desk:flex-1"
        onClick={onApprove}
      >
        Approve
      </Button>
    </div>
  );
}
