import { useId } from "react";
import type { ConnectionKind } from "#contract/connections/connections.ts";
import { Field } from "../ui/fields/field.tsx";
import { Select } from "../ui/menus/select.tsx";
import { useConnections } from "./use-connections.ts";

export function ConnectionField({
  kind,
  value,
  onChange,
  error,
}: {
  kind: ConnectionKind;
  /** "" if none is chosen. */
  value: string;
  onChange: (id: string) => void;
  error: string | undefined;
}) {
  const id = useId();
  const connections = useConnections();
  const options = (connections.data ?? [])
    .filter((one) => one.kind === kind)
    .map((one) => ({ value: one.id, label: one.name }));
  const isEmpty = options.length === 0 && connections.data !== undefined;
  return (
    <Field
      id={id}
      label="Connection"
      hint={isEmpty ? "Add a connection of this kind in Settings → Connections first." : undefined}
      error={error}
    >
      <Select
        id={id}
        label="Connection"
        options={options}
        value={value || null}
        placeholder={connections.isLoadingError ? "Couldn't load the connections" : "Choose a connection"}
        onChange={onChange}
        className="w-full"
      />
    </Field>
  );
}
