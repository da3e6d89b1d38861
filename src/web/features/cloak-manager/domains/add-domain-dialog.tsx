import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import { CLOAK_LIMITS, INVALID_DOMAIN, toDomainName } from "#contract/cloak/cloak.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { TextAreaField } from "../../../ui/fields/text-area-field.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { decodeDomain } from "../../../ui/text/decode-domain.ts";
import { useAddDomain } from "../use-cloak-write.ts";

type DomainForm = { name: string; notes: string };

/** Keeps the typed text when closed without saving. */
export function AddDomainDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [wasOpened, setWasOpened] = useState(isOpen);
  if (isOpen && !wasOpened) setWasOpened(true);
  return wasOpened ? <OpenedDialog isOpen={isOpen} onClose={onClose} /> : null;
}

function OpenedDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const form = useForm<DomainForm>({ defaultValues: { name: "", notes: "" }, mode: "onTouched" });
  const addition = useAddDomain();
  const { errors } = form.formState;
  const name = useWatch({ control: form.control, name: "name" });
  const stored = toDomainName(name);

  function save({ name, notes }: DomainForm) {
    if (addition.isPending) return;
    addition.mutate(
      { name: toDomainName(name) ?? name, notes: notes.trim() || null },
      {
        onSuccess: () => {
          form.reset();
          onClose();
        },
      },
    );
  }
  return (
    <Dialog
      isOpen={isOpen}
      title="Add Domain"
      onClose={onClose}
      onSubmit={(event) => void form.handleSubmit(save)(event)}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" disabled={name.trim() === ""} isBusy={addition.isPending}>
            Add Domain
          </Button>
        </>
      }
    >
      <TextField
        label="Domain *"
        placeholder="go.example.com"
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        inputMode="url"
        hint={
          stored && stored !== decodeDomain(stored)
            ? `Stored as ${stored}`
            : "Point the domain's DNS to your redirector first."
        }
        error={errors.name?.message}
        {...form.register("name", { validate: (text) => toDomainName(text) !== null || INVALID_DOMAIN })}
      />
      <TextAreaField
        label="Notes"
        spellCheck
        className="whitespace-pre-wrap!"
        hint="Visible to all operators."
        error={errors.notes?.message}
        {...form.register("notes", {
          maxLength: {
            value: CLOAK_LIMITS.notesCharacters,
            message: "Notes can have at most 2,000 characters.",
          },
        })}
      />
    </Dialog>
  );
}
