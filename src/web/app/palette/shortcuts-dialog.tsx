import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { GO, GO_TO, PALETTE_KEYS } from "./shortcuts.ts";

export default function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Dialog
      isOpen={isOpen}
      title="Keyboard shortcuts"
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <dl className="grid gap-2">
        <Shortcut keys={[PALETTE_KEYS]} label="Find a job, set or page" />
        <Shortcut keys={["/"]} label="Go to the search box" />
        <Shortcut keys={["r"]} label="Review the job" />
        <Shortcut keys={["."]} label="Open the actions of the focused row" />
        <Shortcut keys={["?"]} label="Show these shortcuts" />
        {GO_TO.map(({ key, label }) => (
          <Shortcut key={key} keys={[GO, key]} label={label} />
        ))}
      </dl>
    </Dialog>
  );
}

function Shortcut({ keys, label }: { keys: readonly string[]; label: string }) {
  return (
    <div className="flex items-center gap-4">
      <dt className="flex-1">{label}</dt>
      <dd className="flex gap-1">
        {keys.map((key) => (
          <kbd
            key={key}
            className="rounded-1 border border-line-strong px-1.5 font-sans text-11 font-medium text-ink-2 uppercase"
          >
            {key}
          </kbd>
        ))}
      </dd>
    </div>
  );
}
