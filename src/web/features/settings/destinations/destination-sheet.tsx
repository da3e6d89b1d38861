import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type {
  Destination,
  DestinationsResponse,
  TestDestinationResponse,
} from "#contract/destinations/destinations.ts";
import { saveDestination, testDestinationDraft } from "../../../api/functions/settings/destinations.ts";
import { useDestinationList } from "../../../destinations/use-destinations.ts";
import { EditorSheet } from "../../../editors/editor-sheet.tsx";
import { explainChange, useOpened, useSaving } from "../../../editors/use-saving.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { runTest, TestResult } from "../connections/test-result.tsx";
import { DestinationFields } from "./destination-fields.tsx";
import { type DestinationForm, toDestinationDraft, toDestinationForm } from "./destination-form.ts";

type SheetProps = {
  opened: Destination | "new" | null;
  /** The current list, which reveals changes elsewhere. */
  destinations: DestinationsResponse | undefined;
  onClose: () => void;
};

export function DestinationSheet({ opened, ...rest }: SheetProps) {
  const shown = useOpened(opened);
  return shown && <OpenedSheet key={shown.opening} destination={shown.item} isOpen={shown.isOpen} {...rest} />;
}

function OpenedSheet({
  destination,
  destinations,
  isOpen,
  onClose,
}: Omit<SheetProps, "opened"> & { destination: Destination | null; isOpen: boolean }) {
  const form = useForm<DestinationForm>({ defaultValues: toDestinationForm(destination), mode: "onTouched" });
  const { isBusy, failure, save } = useSaving("destination");
  const { put, refetch } = useDestinationList();
  const toast = useToast();

  async function submit(values: DestinationForm) {
    try {
      const saved = await saveDestination(toDestinationDraft(values), destination);
      put(saved);
      toast.show({ title: "Destination Saved", description: `"${saved.name}" is ready to use.`, variant: "success" });
    } catch (error) {
      void refetch();
      throw error;
    }
    form.reset(values);
    onClose();
  }
  return (
    <EditorSheet
      noun="destination"
      title={destination ? "Edit destination" : "New destination"}
      hint="Where the files of completed jobs go"
      saveLabel={destination ? "Save changes" : "Add destination"}
      note={isOpen ? explainChange("destination", destination, destinations?.data) : null}
      isDirty={form.formState.isDirty}
      onSubmit={(event) => void form.handleSubmit((values) => save(() => submit(values)))(event)}
      {...{ isOpen, isBusy, failure, onClose }}
    >
      <DestinationFields form={form} destination={destination} folders={destinations?.folders ?? []} />
      <DraftTest form={form} />
    </EditorSheet>
  );
}

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
