import { Button } from "../buttons/button.tsx";
import { Dialog } from "./dialog.tsx";

/** Lists a screen's keyboard shortcuts. */
export type KeyList = readonly (readonly [key: string, act: string])[];

export function KeysDialog({ title, keys, onClose }: { title: string; keys: KeyList; onClose: () => void }) {
  return (
    <Dialog isOpen title={title} onClose={onClose} footer={<Button onClick={onClose}>Close</Button>}>
      <dl className="grid gap-2">
        {keys.map(([key, act]) => (
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
