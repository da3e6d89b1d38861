import { RefreshCw } from "lucide-react";
import { cutText } from "../../../jobs/row/cut-text.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Select } from "../../../ui/menus/select.tsx";
import { SET_TEXTS, type SetKind } from "./set-texts.ts";
import type { ChosenSet } from "./use-chosen-set.ts";
import type { SavedSets } from "../draft/use-initial-data.ts";

const MAX_NAME_CHARACTERS = 40;

export function SetPicker({ kind, saved, chosen }: { kind: SetKind; saved: SavedSets; chosen: ChosenSet }) {
  if (saved.isMissing) {
    return (
      <Button look="quiet" icon={RefreshCw} onClick={saved.reload}>
        Reload sets
      </Button>
    );
  }
  return (
    <Select
      label={SET_TEXTS[kind].picker}
      placeholder="Load a set"
      options={saved.sets.map((set) => ({ value: set.id, label: describeSet(set) }))}
      value={chosen.set?.id ?? null}
      className="max-w-52 min-w-0"
      isHiddenWhenEmpty
      onLost={chosen.forget}
      onChange={(id) => {
        const set = saved.sets.find((candidate) => candidate.id === id);
        if (set) chosen.load(set);
      }}
    />
  );
}

export function describeSet({ name, items }: { name: string; items: readonly string[] }): string {
  return `${cutText(name, MAX_NAME_CHARACTERS)} (${items.length.toLocaleString("en")})`;
}
