import { useId } from "react";
import type { ConnectionKind } from "#contract/connections/connections.ts";
import { Field } from "../ui/fields/field.tsx";
import { Select } from "../ui/menus/select.tsx";
import { useConnections } from "./use-connections.ts";

export const NEW_CONNECTION = "new";

export function ConnectionField({
  kind,
  value,
  onChange,
  onNew,
  error,
}: {
  kind: ConnectionKind;
  /** "" if none is chosen; `NEW_CONNECTION` while one is added. */
  value: string;
  onChange: (id: string) => void;
  /** Adds the option to add one. */
  onNew?: () => void;
  error: string | undefined;
}) {
  const id = useId();
  const connections = useConnections();
  const saved = (connections.data?.data ?? [])
    .filter((one) => one.kind === kind)
    .map((one) => ({ value: one.id, label: one.name }));
  const options = onNew ? [...saved, { value: NEW_CONNECTION, label: "New connection" }] : saved;
  const isEmpty = options.length === 0 && connections.data !== undefined;
  return (
    <Field
      id={id}
      label="Connection"
      hint={isEmpty ? "Add a connection of this kind in Settings first, under Sources and delivery." : undefined}
      error={error}
    >
      <Select
        id={id}
        label="Connection"
        options={options}
        value={value || null}
        placeholder={connections.isLoadingError ? "Couldn't load the connections" : "Choose a connection"}
        onChange={(chosen) => (chosen === NEW_CONNECTION ? onNew?.() : onChange(chosen))}
        className="w-full"
      />
    </Field>
  );
}
