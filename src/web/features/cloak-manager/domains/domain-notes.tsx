import { StickyNote } from "lucide-react";
import { useState } from "react";
import { cutText } from "../../../jobs/row/cut-text.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";

/** Longer notes open on click. */
const TOOLTIP_CHARACTERS = 300;

export function DomainNotes({ name, notes }: { name: string; notes: string }) {
  const [isOpen, setIsOpen] = useState(false);
  // Stays mounted for the closing animation.
  const [wasOpened, setWasOpened] = useState(false);
  const close = () => setIsOpen(false);
  return (
    <>
      <IconButton
        icon={StickyNote}
        label={`Notes: ${cutText(notes, TOOLTIP_CHARACTERS)}`}
        onClick={() => {
          setWasOpened(true);
          setIsOpen(true);
        }}
      />
      {wasOpened && (
        <Dialog
          isOpen={isOpen}
          title={`Notes on ${name}`}
          onClose={close}
          footer={<Button onClick={close}>Close</Button>}
        >
          <p className="wrap-anywhere whitespace-pre-wrap">{notes}</p>
        </Dialog>
      )}
    </>
  );
}
