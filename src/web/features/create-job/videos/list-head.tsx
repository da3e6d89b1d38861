import {
  ArrowDown,
  ArrowDownUp,
  ArrowUp,
  ArrowDownAZ,
  ArrowDownNarrowWide,
  ArrowDownWideNarrow,
  X,
} from "lucide-react";
import { formatCount } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { Menu } from "../../../ui/menus/menu.tsx";
import { describeProblems, describeStates } from "./describe-rows.ts";
import type { SortOrder, VideoRow } from "./read-rows.ts";

export function ListHead({
  rows,
  selected,
  onSelectAll,
  onMove,
  onRemove,
  onSort,
}: {
  rows: readonly VideoRow[];
  selected: readonly VideoRow[];
  onSelectAll: (isOn: boolean) => void;
  onMove: (by: -1 | 1) => void;
  onRemove: (rows: readonly VideoRow[]) => void;
  onSort: (order: SortOrder) => void;
}) {
  const problems = rows.filter(({ state }) => state === "problem");
  const isSelecting = selected.length > 0;
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-2 pl-7 max-desk:min-h-11 max-desk:pl-8">
      <Checkbox
        label="Select all videos"
        isLabelHidden
        checked={selected.length === rows.length}
        isMixed={isSelecting && selected.length < rows.length}
        onChange={({ target }) => onSelectAll(target.checked)}
      />
      <span className="tnum min-w-0 flex-1 pl-1 text-12 text-ink-2 max-desk:basis-32">
        {isSelecting ? `${formatCount(selected.length)} selected` : describeStates(rows)}
      </span>
      {isSelecting ? (
        <div role="toolbar" aria-label="Selected videos" className="flex items-center gap-1 max-desk:ml-auto">
          <IconButton icon={ArrowUp} label="Move up" onClick={() => onMove(-1)} />
          <IconButton icon={ArrowDown} label="Move down" onClick={() => onMove(1)} />
          <Button size="sm" look="quiet" onClick={() => onRemove(selected)}>
            Remove {formatCount(selected.length)}
          </Button>
          <IconButton icon={X} label="Clear selection" onClick={() => onSelectAll(false)} />
        </div>
      ) : (
        <>
          {problems.length > 0 && (
            <Button size="sm" look="quiet" className="max-desk:ml-auto" onClick={() => onRemove(problems)}>
              Remove {describeProblems(problems.length)}
            </Button>
          )}
          {rows.length > 1 && (
            <Menu
              label="Sort videos"
              icon={ArrowDownUp}
              items={[
                { label: "By name", icon: ArrowDownAZ, onSelect: () => onSort("name") },
                { label: "Shortest first", icon: ArrowDownNarrowWide, onSelect: () => onSort("shortest") },
                { label: "Longest first", icon: ArrowDownWideNarrow, onSelect: () => onSort("longest") },
              ]}
            />
          )}
        </>
      )}
    </div>
  );
}
