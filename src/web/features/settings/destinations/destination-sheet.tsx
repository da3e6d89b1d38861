import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type {
  Destination,
  DestinationsResponse,
  TestDestinationResponse,
} from "#contract/destinations/destinations.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { saveDestination, testDestinationDraft } from "../../../api/functions/destinations.ts";
import { useDestinationList } from "../../../destinations/use-destinations.ts";
import { useLeaveConfirmation } from "../../../sets/editor/use-leave-confirmation.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { Sheet } from "../../../ui/dialogs/sheet.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { runTest, TestResult } from "../connections/test-result.tsx";
import { DestinationFields } from "./destination-fields.tsx";
import { type DestinationForm, toDestinationDraft, toDestinationForm } from "./destination-form.ts";

type SheetProps = {
  /** Null closes the sheet. */
  opened: Destination | "new" | null;
  /** The current list, which shows changes elsewhere. */
  destinations: DestinationsResponse | undefined;
  onClose: () => void;
};

export function DestinationSheet({ opened, ...rest }: SheetProps) {
  // Keeps the content during the closing animation; each opening gets a new form.
  const [last, setLast] = useState({ opened, isOpen: false, opening: 0 });
  if (opened && !last.isOpen) setLast({ opened, isOpen: true, opening: last.opening + 1 });
  if (!opened && last.isOpen) setLast({ ...last, isOpen: false });
  if (!last.opened) return null;
  const destination = last.opened === "new" ? null : last.opened;
  return <OpenedSheet key={last.opening} destination={destination} isOpen={opened !== null} {...rest} />;
}

function OpenedSheet({
  destination,
  destinations,
  isOpen,
  onClose,
}: Omit<SheetProps, "opened"> & { destination: Destination | null; isOpen: boolean }) {
  const form = useForm<DestinationForm>({ defaultValues: toDestinationForm(destination), mode: "onTouched" });
  const [failure, setFailure] = useState<string | null>(null);
  const { isBusy, run } = useExclusiveAction();
  const { put, refetch } = useDestinationList();
  const toast = useToast();
  const leave = useLeaveConfirmation(isOpen && form.formState.isDirty, onClose);
  const note = isOpen && destination && explainChange(destination, destinations?.data);

  async function save(values: DestinationForm) {
    setFailure(null);
    try {
      const saved = await saveDestination(toDestinationDraft(values), destination);
      put(saved);
      toast.show({ title: "Destination Saved", description: `"${saved.name}" is ready to use.`, variant: "success" });
      form.reset(values);
      onClose();
    } catch (error) {
      setFailure(error instanceof CallError ? error.message : "Couldn't save the destination");
      void refetch();
    }
  }
  return (
    <Sheet
      isOpen={isOpen}
      title={destination ? "Edit destination" : "New destination"}
      hint="Where the files of completed jobs go"
      onClose={leave.ask}
      onSubmit={(event) => void form.handleSubmit((values) => run(() => save(values)))(event)}
      footer={
        <>
          <Button look="quiet" onClick={leave.ask}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {destination ? "Save changes" : "Add destination"}
          </Button>
        </>
      }
    >
      {note && (
        <div role="alert">
          <WarningNote text={note} />
        </div>
      )}
      <DestinationFields form={form} destination={destination} folders={destinations?.folders ?? []} />
      <DraftTest form={form} />
      {failure !== null && (
        <div role="alert">
          <ErrorBox text={failure} />
        </div>
      )}
      <ConfirmDialog
        isOpen={leave.isAsking}
        title="Discard changes?"
        text="Your changes to this destination won't be saved."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={leave.confirm}
        onClose={leave.stay}
      />
    </Sheet>
  );
}

/** Tests what is typed, without saving it. */
function DraftTest({ form }: { form: ReturnType<typeof useForm<DestinationForm>> }) {
  const values = useWatch({ control: form.control });
  const { isBusy, run } = useExclusiveAction();
  const [result, setResult] = useState<(TestDestinationResponse & { of: string }) | null>(null);
  const typed = JSON.stringify(values);

  async function test() {
    setResult(null);
    if (!(await form.trigger())) return;
    const of = JSON.stringify(form.getValues());
    setResult({ ...(await runTest(() => testDestinationDraft(toDestinationDraft(form.getValues())))), of });
  }
  return (
    <div className="grid justify-items-start gap-2 border-t border-line pt-4">
      <Button isBusy={isBusy} onClick={() => void run(test)}>
        Test destination
      </Button>
      {/* Hides the result of other values. */}
      <TestResult result={result?.of === typed ? result : null} />
    </div>
  );
}

/** Explains a change or removal elsewhere since the sheet was opened. */
function explainChange(opened: Destination, destinations: readonly Destination[] | undefined): string | null {
  if (!destinations) return null;
  const current = destinations.find(({ id }) => id === opened.id);
  if (!current) return "This destination was removed elsewhere, so it can't be saved.";
  return current.version === opened.version
    ? null
    : "This destination was changed elsewhere. Close it, check its current values, then make your change again.";
}
