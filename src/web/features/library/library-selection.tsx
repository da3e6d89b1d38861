import { Clapperboard, Trash2 } from "lucide-react";
import type { LibraryFile } from "#contract/calls.ts";
import { formatCount } from "../../jobs/row/pluralize.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { SelectionToolbar } from "../../ui/selection/selection-toolbar.tsx";

export function LibrarySelection({
  selected,
  onUse,
  onDelete,
  onClear,
}: {
  selected: readonly LibraryFile[];
  onUse: () => void;
  onDelete: () => void;
  onClear: () => void;
}) {
  return (
    <SelectionToolbar label="Selected files" count={`${formatCount(selected.length)} selected`} onClear={onClear}>
      <Button look="quiet" icon={Clapperboard} className="max-desk:px-2" onClick={onUse}>
        <span>
          Use<span className="max-desk:sr-only"> in a new job</span>
        </span>
      </Button>
      <Button look="quiet" icon={Trash2} className="max-desk:px-2" onClick={onDelete}>
        Delete
      </Button>
    </SelectionToolbar>
  );
}
