import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { JOB_LIMITS } from "#contract/jobs.ts";
import { addCaptionSet } from "../../api/set-functions.ts";
import { paths } from "../../app/paths.ts";
import { countWords } from "../../jobs/count-words.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useToast } from "../../ui/use-toast.ts";

/** Saves the captions as a set under the name it asks for; a new job can begin with it at once. */
export function SaveCaptionsDialog({
  isOpen,
  captions,
  onClose,
}: {
  isOpen: boolean;
  captions: string[];
  onClose: () => void;
}) {
  const toast = useToast();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const { mutate, isPending } = useMutation({
    mutationFn: () => addCaptionSet({ name: name.trim(), items: captions }),
    onSuccess: ({ id, name: saved }) => {
      toast.show({
        title: "Caption Set Saved",
        description: `"${saved}": ${countWords(captions.length, "caption")}`,
        variant: "success",
        action: {
          label: "Use in a new job",
          onClick: () => void navigate({ to: paths.createJob, search: { captionSet: id } as never }),
        },
      });
      setName("");
      onClose();
    },
    onError: () => toast.show({ title: "Error", description: "Failed to save caption set", variant: "destructive" }),
  });
  function handleSubmit() {
    if (isPending) return;
    if (name.trim() !== "") mutate();
    else {
      const description = "Please provide both a set name and captions";
      toast.show({ title: "Error", description, variant: "destructive" });
    }
  }
  return (
    <Dialog
      isOpen={isOpen}
      title="Save captions as a set"
      text={countWords(captions.length, "caption")}
      onClose={onClose}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isPending}>
            Save set
          </Button>
        </>
      }
    >
      <TextField
        label="Set name"
        value={name}
        autoComplete="off"
        maxLength={JOB_LIMITS.nameCharacters}
        onChange={(event) => setName(event.target.value)}
      />
    </Dialog>
  );
}
