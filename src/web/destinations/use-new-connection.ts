import { useState } from "react";
import { useForm, type UseFormReturn, useWatch } from "react-hook-form";
import type { ConnectionKind } from "#contract/connections/connections.ts";
import { CONNECTION_KINDS } from "#contract/connections/kinds/connection-kinds.ts";
import type { DestinationKind } from "#contract/destinations/destinations.ts";
import { saveConnection } from "../api/functions/settings/destinations.ts";
import { type ConnectionForm, toConnectionDraft, toConnectionForm } from "../connections/connection-form.ts";
import { useConnectionList, useConnections } from "../connections/use-connections.ts";
import { freeName } from "../ui/text/free-name.ts";
import type { DestinationForm } from "./destination-form.ts";

export type NewConnection = ReturnType<typeof useNewConnection>;

/** The connection that is added in a destination's sheet: shown on request, and if there is none of its kind. */
export function useNewConnection(destination: UseFormReturn<DestinationForm>) {
  const kind = useWatch({ control: destination.control, name: "kind" });
  const saved = useConnections().data?.data;
  const { put } = useConnectionList();
  const form = useForm<ConnectionForm>({ defaultValues: suggest(kind), mode: "onTouched" });
  const [isWanted, setIsWanted] = useState(false);
  const hasNone = saved?.every((one) => one.kind !== kind) ?? false;

  function suggest(next: DestinationKind): ConnectionForm {
    if (next === "folder") return toConnectionForm(null);
    const taken = (saved ?? []).map(({ name }) => name);
    return toConnectionForm(null, { kind: next, name: freeName(CONNECTION_KINDS[next].label, taken) });
  }
  return {
    form,
    kind: kind === "folder" || (!isWanted && !hasNone) ? null : (kind satisfies ConnectionKind),
    /** Starts over, also for another kind of destination. */
    start(next: DestinationKind, isRequested: boolean) {
      form.reset(suggest(next));
      setIsWanted(isRequested);
    },
    /** Saves the connection and selects it. Returns false if a field is wrong; throws CallError. */
    async add(): Promise<boolean> {
      if (!(await form.trigger(undefined, { shouldFocus: true }))) return false;
      const added = await saveConnection(toConnectionDraft(form.getValues()), null);
      put(added);
      destination.setValue("connectionId", added.id, { shouldDirty: true, shouldValidate: true });
      this.start(added.kind, false);
      return true;
    },
  };
}
