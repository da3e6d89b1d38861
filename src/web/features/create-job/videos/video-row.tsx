import { Check, CircleAlert, Folder, GripVertical, RotateCw, X } from "lucide-react";
import { memo, type MouseEvent, type PointerEvent, type Ref } from "react";
import { OwnSettings } from "../../../jobs/row/own-settings.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { SourcePicture } from "../../../sources/source-picture.tsx";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton, iconButtonClasses } from "../../../ui/buttons/icon-button.tsx";
import { onSingleClick } from "../../../ui/buttons/on-single-click.ts";
import { classNames } from "../../../ui/class-names.ts";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { tooltip, tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { Spinner } from "../../../ui/states/spinner.tsx";
import { describeFacts } from "./describe-rows.ts";
import type { VideoRow } from "./read-rows.ts";

/** With a mouse, a row shows its actions while it is in use. */
const IN_USE = "pointer-fine:not-group-hover:not-group-focus-within:opacity-0";

/** Stable, so that rows do not rerender. */
export type RowActions = {
  toggle: (key: string, isRange: boolean) => void;
  remove: (row: VideoRow, index: number) => void;
  recheck: (row: VideoRow) => void;
  expand: (row: VideoRow) => void;
  startDrag: (event: PointerEvent, key: string) => void;
};

type VideoRowViewProps = {
  row: VideoRow;
  index: number;
  top: number;
  isSelected: boolean;
  isShown: boolean;
  isTabStop: boolean;
  isDragged: boolean;
  actions: RowActions;
  measure: Ref<HTMLDivElement>;
};

/** Arrow keys reach the controls, so that Tab can leave a long list. */
export const VideoRowView = memo(function VideoRowView(props: VideoRowViewProps) {
  const { row, index, top, isSelected, isShown, isTabStop, isDragged, actions, measure } = props;
  function handleClick({ target, shiftKey, ctrlKey, metaKey }: MouseEvent) {
    if (target instanceof Element && target.closest("button, label")) return;
    if (shiftKey || ctrlKey || metaKey) actions.toggle(row.key, shiftKey);
  }
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events -- the grid handles the keys
    <div
      ref={measure}
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a table's rows cannot be placed one by one
      role="row"
      tabIndex={isTabStop ? 0 : -1}
      aria-rowindex={index + 1}
      aria-selected={isSelected}
      aria-current={isShown || undefined}
      data-index={index}
      className={classNames(
        "group absolute inset-x-0 border-t border-line -outline-offset-2 select-none",
        isSelected && "bg-select",
        isDragged && "opacity-50",
        isShown && "before:absolute before:inset-y-1 before:left-0 before:w-0.5 before:rounded-full before:bg-ink",
      )}
      style={{ top }}
      onClick={handleClick}
    >
      <div
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- as its row
        role="gridcell"
        className="grid min-h-12 grid-cols-[auto_16px_23px_minmax(0,1fr)_auto_auto] items-center gap-x-3 py-1 pl-1 max-desk:grid-cols-[auto_16px_23px_minmax(0,1fr)_auto] max-desk:gap-x-2"
      >
        <button
          type="button"
          tabIndex={-1}
          aria-label={`Move ${row.name}`}
          className={classNames(
            iconButtonClasses,
            "-mr-2 w-5 cursor-grab touch-none active:cursor-grabbing max-desk:w-8",
            IN_USE,
          )}
          onPointerDown={(event) => actions.startDrag(event, row.key)}
          {...tooltip("Drag to move, or press Alt and an arrow key")}
        >
          <Icon icon={GripVertical} size={14} />
        </button>
        <Checkbox
          label={`Select ${row.name}`}
          isLabelHidden
          tabIndex={-1}
          checked={isSelected}
          onChange={({ nativeEvent }) =>
            actions.toggle(row.key, nativeEvent instanceof globalThis.MouseEvent && nativeEvent.shiftKey)
          }
        />
        <SourcePicture file={{ kind: "video", thumbnailUrl: row.thumbnailUrl }} />
        <span className="grid min-w-0">
          <span
            className={classNames("raw truncate", isShown ? "font-medium text-ink" : "text-ink")}
            {...tooltipWhenCut(row.name)}
          >
            {row.name}
          </span>
          <span className="tnum flex flex-wrap gap-x-3 text-12 text-ink-3">
            <span className="empty:hidden">{describeFacts(row)}</span>
            <OwnSettings row={row.row} name={row.name} isTabStop={false} />
          </span>
          {row.problem !== null && <span className="text-12 wrap-anywhere text-failed">{row.problem}</span>}
        </span>
        <State row={row} />
        <Actions row={row} index={index} actions={actions} />
      </div>
    </div>
  );
});

function State({ row: { state, files } }: { row: VideoRow }) {
  if (state === "unknown") return <span className="max-desk:hidden" />;
  const look = {
    checking: { glyph: <Spinner size={14} />, word: "Checking", ink: "text-ink-3" },
    ready: { glyph: <Icon icon={Check} size={14} className="text-completed" />, word: "Ready", ink: "text-ink-3" },
    problem: { glyph: <Icon icon={CircleAlert} size={14} />, word: "Problem", ink: "text-failed" },
    folder: { glyph: <Icon icon={Folder} size={14} />, word: pluralize(files?.length ?? 0, "file"), ink: "text-ink-2" },
  }[state];
  return (
    <span
      className={classNames(
        "inline-flex items-center gap-[5px] text-12 whitespace-nowrap desk:min-w-20 max-desk:col-start-4 max-desk:row-start-2",
        look.ink,
      )}
    >
      {look.glyph}
      {look.word}
    </span>
  );
}

function Actions({ row, index, actions }: { row: VideoRow; index: number; actions: RowActions }) {
  return (
    <span className="flex items-center justify-end gap-1 desk:min-w-15 max-desk:col-start-5 max-desk:row-span-2 max-desk:row-start-1">
      {row.files && row.files.length > 0 && (
        <Button size="sm" tabIndex={-1} onClick={onSingleClick(() => actions.expand(row))}>
          Add files
        </Button>
      )}
      {row.state === "problem" && (
        <IconButton
          icon={RotateCw}
          label={`Check ${row.name} again`}
          tabIndex={-1}
          onClick={() => actions.recheck(row)}
        />
      )}
      <IconButton
        icon={X}
        label={`Remove ${row.name}`}
        tabIndex={-1}
        className={IN_USE}
        // A second click would hit the next row.
        onClick={onSingleClick(() => actions.remove(row, index))}
      />
    </span>
  );
}
