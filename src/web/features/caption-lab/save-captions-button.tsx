import { useNavigate } from "@tanstack/react-router";
import { BookmarkPlus } from "lucide-react";
import { useState } from "react";
import { addCaptionSet } from "../../api/functions/set-functions.ts";
import type { SavedSet } from "../../api/set-tables.ts";
import { paths } from "../../app/routing/paths.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { SaveSetDialog } from "../../sets/editor/save-set-dialog.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";

export function SaveCaptionsButton({ captions }: { captions: string[] }) {
  const toast = useToast();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  // Stays mounted to fade out.
  const [wasOpened, setWasOpened] = useState(false);
  const count = pluralize(captions.length, "caption");

  function handleOpen() {
    setIsOpen(true);
    setWasOpened(true);
  }
  function handleSaved({ id, name }: SavedSet) {
    toast.show({
      title: "Caption Set Saved",
      description: `"${name}": ${count}`,
      variant: "success",
      action: {
        label: "Use in a new job",
        onClick: () => void navigate({ to: paths.createJob, search: { captionSet: id } as never }),
      },
    });
  }
  return (
    <>
      <Button look="quiet" icon={BookmarkPlus} disabled={captions.length === 0} onClick={handleOpen}>
        Save as set
      </Button>
      {wasOpened && (
        <SaveSetDialog
          isOpen={isOpen}
          title="Save captions as a set"
          text={count}
          failedToSave="Failed to save caption set"
          problemOf={(name) => (name.trim() === "" ? "Please provide both a set name and captions" : null)}
          save={(name) => addCaptionSet({ name, items: captions })}
          onSaved={handleSaved}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}
