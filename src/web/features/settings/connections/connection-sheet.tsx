import { useState } from "react";
import { useForm, useWatch } from "react-hook-form";
import type { Connection, TestConnectionResponse } from "#contract/connections/connections.ts";
import { CONNECTION_KINDS } from "#contract/connections/kinds/connection-kinds.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { saveConnection, testConnectionDraft } from "../../../api/functions/connections.ts";
import { useLeaveConfirmation } from "../../../sets/editor/use-leave-confirmation.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { Sheet } from "../../../ui/dialogs/sheet.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { WarningNote } from "../../../ui/states/warning-note.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { ConnectionFields } from "./connection-fields.tsx";
import { type ConnectionForm, toConnectionDraft, toConnectionForm } from "./connection-form.ts";
import { runTest, TestResult } from "./test-result.tsx";
import { useConnectionList } from "../../../connections/use-connections.ts";

type SheetProps = {
  /** Null closes the sheet. */
  opened: Connection | "new" | null;
  /** The current list, which shows changes elsewhere. */
  connections: readonly Connection[] | undefined;
  onClose: () => void;
};

export function ConnectionSheet({ opened, ...rest }: SheetProps) {
  // Keeps the content during the closing animation; each opening gets a new form.
  const [last, setLast] = useState({ opened, isOpen: false, opening: 0 });
  if (opened && !last.isOpen) setLast({ opened, isOpen: true, opening: last.opening + 1 });
  if (!opened && last.isOpen) setLast({ ...last, isOpen: false });
  if (!last.opened) return null;
  const connection = last.opened === "new" ? null : last.opened;
  return <OpenedSheet key={last.opening} connection={connection} isOpen={opened !== null} {...rest} />;
}

function OpenedSheet({
  connection,
  connections,
  isOpen,
  onClose,
}: Omit<SheetProps, "opened"> & { connection: Connection | null; isOpen: boolean }) {
  const form = useForm<ConnectionForm>({ defaultValues: toConnectionForm(connection), mode: "onTouched" });
  const [failure, setFailure] = useState<string | null>(null);
  const { isBusy, run } = useExclusiveAction();
  const { put, refetch } = useConnectionList();
  const toast = useToast();
  const leave = useLeaveConfirmation(isOpen && form.formState.isDirty, onClose);
  const note = isOpen && connection && explainChange(connection, connections);

  async function save(values: ConnectionForm) {
    setFailure(null);
    try {
      const saved = await saveConnection(toConnectionDraft(values), connection);
      put(saved);
      toast.show({ title: "Connection Saved", description: `"${saved.name}" is ready to use.`, variant: "success" });
      form.reset(values);
      onClose();
    } catch (error) {
      setFailure(error instanceof CallError ? error.message : "Couldn't save the connection");
      void refetch();
    }
  }
  return (
    <Sheet
      isOpen={isOpen}
      title={connection ? "Edit connection" : "New connection"}
      hint={connection ? CONNECTION_KINDS[connection.kind].text : "Outside storage"}
      onClose={leave.ask}
      onSubmit={(event) => void form.handleSubmit((values) => run(() => save(values)))(event)}
      footer={
        <>
          <Button look="quiet" onClick={leave.ask}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {connection ? "Save changes" : "Add connection"}
          </Button>
        </>
      }
    >
      {note && (
        <div role="alert">
          <WarningNote text={note} />
        </div>
      )}
      <ConnectionFields form={form} connection={connection} />
      <DraftTest form={form} id={connection?.id ?? null} />
      {failure !== null && (
        <div role="alert">
          <ErrorBox text={failure} />
        </div>
      )}
      <ConfirmDialog
        isOpen={leave.isAsking}
        title="Discard changes?"
        text="Your changes to this connection won't be saved."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={leave.confirm}
        onClose={leave.stay}
      />
    </Sheet>
  );
}

/** Tests what is typed, without saving it. */
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

/** Returns the fields without those that a test finds. */
function fieldsToTest({ kind, fields }: ConnectionForm): `fields.${string}`[] {
  return CONNECTION_KINDS[kind].fields
    .filter(({ name, isFoundByTest }) => !isFoundByTest || fields[name] !== "")
    .map(({ name }) => `fields.${name}` as const);
}

/** Explains a change or removal elsewhere since the sheet was opened. */
function explainChange(opened: Connection, connections: readonly Connection[] | undefined): string | null {
  if (!connections) return null;
  const current = connections.find(({ id }) => id === opened.id);
  if (!current) return "This connection was removed elsewhere, so it can't be saved.";
  return current.version === opened.version
    ? null
    : "This connection was changed elsewhere. Close it, check its current values, then make your change again.";
}
