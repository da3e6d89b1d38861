import { useForm, type UseFormReturn } from "react-hook-form";
import type { ReactNode } from "react";
import type { Connection } from "#contract/connections/connections.ts";
import { CONNECTION_KINDS } from "#contract/connections/kinds/connection-kinds.ts";
import { saveConnection, testConnectionDraft } from "../api/functions/settings/destinations.ts";
import { DraftTest } from "../editors/draft-test.tsx";
import { SavedSheet } from "../editors/saved-sheet.tsx";
import { useOpened } from "../editors/use-saving.ts";
import { ConnectionFields } from "./connection-fields.tsx";
import { type ConnectionForm, toConnectionDraft, toConnectionForm } from "./connection-form.ts";
import { useConnectionList, useConnections } from "./use-connections.ts";

export function ConnectionSheet({ opened, onClose }: { opened: Connection | "new" | null; onClose: () => void }) {
  const shown = useOpened(opened);
  return shown && <OpenedSheet key={shown.opening} connection={shown.item} isOpen={shown.isOpen} onClose={onClose} />;
}

function OpenedSheet({
  connection,
  isOpen,
  onClose,
}: {
  connection: Connection | null;
  isOpen: boolean;
  onClose: () => void;
}) {
  const form = useForm<ConnectionForm>({ defaultValues: toConnectionForm(connection), mode: "onTouched" });
  return (
    <SavedSheet
      noun="connection"
      hint={connection ? CONNECTION_KINDS[connection.kind].text : "External storage"}
      item={connection}
      items={useConnections().data?.data}
      list={useConnectionList()}
      save={(values) => saveConnection(toConnectionDraft(values), connection)}
      {...{ form, isOpen, onClose }}
    >
      <ConnectionFields form={form} connection={connection} />
      <ConnectionTest form={form} id={connection?.id ?? null} />
    </SavedSheet>
  );
}

/** `id`: of the saved connection, whose secret is used if none is typed. */
export function ConnectionTest({
  form,
  id,
  children,
}: {
  form: UseFormReturn<ConnectionForm>;
  id: string | null;
  children?: ReactNode;
}) {
  function accept(found: Record<string, string>) {
    for (const [name, value] of Object.entries(found)) {
      form.setValue(`fields.${name}`, value, { shouldDirty: true, shouldValidate: true });
    }
  }
  return (
    <DraftTest
      label="Test connection"
      form={form}
      check={() => form.trigger(["name", ...fieldsToTest(form.getValues())])}
      test={(values) => testConnectionDraft(toConnectionDraft(values), id)}
      onAccept={accept}
    >
      {children}
    </DraftTest>
  );
}

/** Omits fields that the test itself finds. */
function fieldsToTest({ kind, fields }: ConnectionForm): `fields.${string}`[] {
  return CONNECTION_KINDS[kind].fields
    .filter(({ name, isFoundByTest }) => !isFoundByTest || fields[name] !== "")
    .map(({ name }) => `fields.${name}` as const);
}
