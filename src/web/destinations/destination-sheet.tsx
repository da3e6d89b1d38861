import { useForm } from "react-hook-form";
import type { Destination } from "#contract/destinations/destinations.ts";
import { saveDestination, testDestinationDraft } from "../api/functions/settings/destinations.ts";
import { DraftTest } from "../editors/draft-test.tsx";
import { SavedSheet } from "../editors/saved-sheet.tsx";
import { useOpened } from "../editors/use-saving.ts";
import { DestinationFields } from "./destination-fields.tsx";
import {
  type DestinationForm,
  FIELDS_BESIDE_CONNECTION,
  toDestinationDraft,
  toDestinationForm,
} from "./destination-form.ts";
import { useConnectionList } from "../connections/use-connections.ts";
import { useDestinationList, useDestinations } from "./use-destinations.ts";
import { useNewConnection } from "./use-new-connection.ts";

type SheetProps = {
  opened: Destination | "new" | null;
  onSaved?: (saved: Destination) => void;
  onClose: () => void;
};

/** Also adds the destination's connection. */
export default function DestinationSheet({ opened, ...rest }: SheetProps) {
  const shown = useOpened(opened);
  return shown && <OpenedSheet key={shown.opening} destination={shown.item} isOpen={shown.isOpen} {...rest} />;
}

function OpenedSheet({
  destination,
  isOpen,
  onSaved,
  onClose,
}: Omit<SheetProps, "opened"> & { destination: Destination | null; isOpen: boolean }) {
  const { data } = useDestinations();
  const connections = useConnectionList();
  const form = useForm<DestinationForm>({
    defaultValues: toDestinationForm(destination, data?.data),
    mode: "onTouched",
  });
  const connection = useNewConnection(form);

  /** Saves the connection first, but only if the other fields are right, too. */
  async function addConnection(): Promise<boolean> {
    if (connection.kind === null) return true;
    const isComplete = await form.trigger(FIELDS_BESIDE_CONNECTION);
    return (await connection.form.trigger(undefined, { shouldFocus: true })) && isComplete && connection.add();
  }
  return (
    <SavedSheet
      noun="destination"
      hint="Where the files of completed jobs go"
      item={destination}
      items={data?.data}
      list={useDestinationList()}
      isDirty={form.formState.isDirty || (connection.kind !== null && connection.form.formState.isDirty)}
      prepare={addConnection}
      save={(values) => saveDestination(toDestinationDraft(values), destination)}
      onSaved={(saved) => {
        // They list the destinations that need them.
        void connections.refetch();
        onSaved?.(saved);
      }}
      {...{ form, isOpen, onClose }}
    >
      <DestinationFields
        form={form}
        destination={destination}
        others={data?.data ?? []}
        folders={data?.folders ?? []}
        connection={connection}
      />
      {connection.kind === null && (
        <DraftTest
          label="Test destination"
          form={form}
          check={() => form.trigger()}
          test={(values) => testDestinationDraft(toDestinationDraft(values))}
        />
      )}
    </SavedSheet>
  );
}
