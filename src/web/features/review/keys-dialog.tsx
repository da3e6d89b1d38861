import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";

const KEYS: readonly (readonly [key: string, act: string])[] = [
  ["A", "Approve and continue"],
  ["R", "Reject with a reason"],
  ["Shift R", "Reject with the last reason"],
  ["U", "Undo"],
  ["Left", "Previous file"],
  ["Right", "Next file"],
  ["Space", "Play or pause"],
  [",", "Previous frame"],
  [".", "Next frame"],
  ["M", "Turn the sound on or off"],
  ["V", "Show all variants side by side"],
  ["C", "Compare with another variant or the source"],
  ["S", "Show safe areas"],
  ["?", "Show these shortcuts"],
];

export function KeysDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog
      isOpen={isOpen}
      title="Review shortcuts"
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <dl className="grid gap-2">
        {KEYS.map(([key, act]) => (
          <div key={key} className="flex items-center gap-4">
            <dt className="flex-1">{act}</dt>
            <dd>
              <kbd className="rounded-1 border border-line-strong px-1.5 font-sans text-11 font-medium text-ink-2">
                {key}
              </kbd>
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
