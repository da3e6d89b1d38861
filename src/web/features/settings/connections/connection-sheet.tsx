import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { Connection, TestConnectionResponse } from "#contract/connections/connections.ts";
import { CONNECTION_KINDS } from "#contract/connections/kinds/connection-kinds.ts";
import { saveConnection, testConnectionDraft } from "../../../api/functions/settings/destinations.ts";
import { useConnectionList } from "../../../connections/use-connections.ts";
import { EditorSheet } from "../../../editors/editor-sheet.tsx";
import { explainChange, useOpened, useSaving } from "../../../editors/use-saving.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { ConnectionFields } from "./connection-fields.tsx";
import { type ConnectionForm, toConnectionDraft, toConnectionForm } from "./connection-form.ts";
import { runTest, TestResult } from "./test-result.tsx";

type SheetProps = {
  opened: Connection | "new" | null;
  /** The current list, which reveals changes elsewhere. */
  connections: readonly Connection[] | undefined;
  onClose: () => void;
};

export function ConnectionSheet({ opened, ...rest }: SheetProps) {
  const shown = useOpened(opened);
  return shown && <OpenedSheet key={shown.opening} connection={shown.item} isOpen={shown.isOpen} {...rest} />;
}

function OpenedSheet({
  connection,
  connections,
  isOpen,
  onClose,
}: Omit<SheetProps, "opened"> & { connection: Connection | null; isOpen: boolean }) {
  const form = useForm<ConnectionForm>({ defaultValues: toConnectionForm(connection), mode: "onTouched" });
  const { isBusy, failure, save } = useSaving("connection");
  const { put, refetch } = useConnectionList();
  const toast = useToast();

  async function submit(values: ConnectionForm) {
    try {
      const saved = await saveConnection(toConnectionDraft(values), connection);
      put(saved);
      toast.show({ title: "Connection Saved", description: `"${saved.name}" is ready to use.`, variant: "success" });
    } catch (error) {
      void refetch();
      throw error;
    }
    form.reset(values);
    onClose();
  }
  return (
    <EditorSheet
      noun="connection"
      title={connection ? "Edit connection" : "New connection"}
      hint={connection ? CONNECTION_KINDS[connection.kind].text : "External storage"}
      saveLabel={connection ? "Save changes" : "Add connection"}
      note={isOpen ? explainChange("connection", connection, connections) : null}
      isDirty={form.formState.isDirty}
      onSubmit={(event) => void form.handleSubmit((values) => save(() => submit(values)))(event)}
      {...{ isOpen, isBusy, failure, onClose }}
    >
      <ConnectionFields form={form} connection={connection} />
      <DraftTest form={form} id={connection?.id ?? null} />
    </EditorSheet>
  );
}

function DraftTest({ form, id }: { form: ReturnType<typeof useForm<ConnectionForm>>; id: string | null }) {
  const values = useWatch({ control: form.control });
  const { isBusy, run } = useExclusiveAction();
  const [result, setResult] = useState<(TestConnectionResponse & { of: string }) | null>(null);
  const typed = JSON.stringify(values);

  async function test() {
    setResult(null);
    if (!(await form.trigger(["name", ...fieldsToTest(form.getValues())]))) return;
    const draft = toConnectionDraft(form.getValues());
    const of = JSON.stringify(form.getValues());
    setResult({ ...(await runTest(() => testConnectionDraft(draft, id))), of });
  }
  function accept(found: Record<string, string>) {
    for (const [name, value] of Object.entries(found)) {
      form.setValue(`fields.${name}`, value, { shouldDirty: true, shouldValidate: true });
    }
    setResult(null);
  }
  return (
    <div className="grid justify-items-start gap-2 border-t border-line pt-4">
      <Button isBusy={isBusy} onClick={() => void run(test)}>
        Test connection
      </Button>
      {/* Hides the result of other values. */}
      <TestResult result={result?.of === typed ? result : null} />
      {result?.of === typed && result.found && <Button onClick={() => accept(result.found!)}>Accept host key</Button>}
    </div>
  );
}

/** Omits fields that the test itself finds. */
function fieldsToTest({ kind, fields }: ConnectionForm): `fields.${string}`[] {
  return CONNECTION_KINDS[kind].fields
    .filter(({ name, isFoundByTest }) => !isFoundByTest || fields[name] !== "")
    .map(({ name }) => `fields.${name}` as const);
}
