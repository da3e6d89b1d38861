import { Button } from "../../../ui/buttons/button.tsx";
import { useCopy } from "../../../ui/buttons/use-copy.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { useLastValue } from "../use-last-value.ts";

/** Shows a new secret once. */
export function SecretDialog({ secret, onClose }: { secret: string | null; onClose: () => void }) {
  const { copied, copy } = useCopy();
  const shown = useLastValue(secret);
  if (shown === null) return null;
  return (
    <Dialog
      isOpen={secret !== null}
      title="Copy the signing secret"
      text="It is shown only once. The receiver needs it to verify requests."
      onClose={onClose}
      footer={
        <>
          <Button onClick={() => copy(shown)}>{copied ? "Copied!" : "Copy secret"}</Button>
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <output aria-label="Signing secret" className="raw rounded-2 bg-well px-3 py-2 wrap-anywhere text-ink">
        {shown}
      </output>
    </Dialog>
  );
}
