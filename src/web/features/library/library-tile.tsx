import { Clapperboard, Ellipsis, Eye, Pencil, Play, SquareCheck, Tag, Trash2 } from "lucide-react";
import { memo, useRef, type ChangeEvent } from "react";
import type { LibraryFile } from "#contract/calls.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { formatShortDate, formatWholeDate } from "../../jobs/time/short-date.ts";
import { ListenButton } from "../../sources/listen-button.tsx";
import { BEHIND_IMAGES, FILE_ICONS } from "../../sources/source-picture.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Checkbox } from "../../ui/fields/checkbox.tsx";
import { Menu, type MenuItem } from "../../ui/menus/menu.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { tooltip, tooltipWhenCut } from "../../ui/page/tooltip.ts";
import { formatClipLength, formatFileSize } from "../../ui/text/length-and-size.ts";
import { useIsPhone } from "../../ui/use-is-phone.ts";
import { RenameField } from "./rename-field.tsx";

export type FileActions = {
  onView: (file: LibraryFile) => void;
  onUse: (file: LibraryFile) => void;
  onRename: (file: LibraryFile | null) => void;
  onTag: (file: LibraryFile) => void;
  onDelete: (file: LibraryFile) => void;
  onToggle: (id: string, isRange: boolean) => void;
};

type LibraryTileProps = FileActions & {
  file: LibraryFile;
  isSelected: boolean;
  isSelecting: boolean;
  isRenaming: boolean;
};

export const LibraryTile = memo(function LibraryTile(props: LibraryTileProps) {
  const { file, isSelected, isSelecting, isRenaming, onRename, onToggle } = props;
  const tile = useRef<HTMLDivElement>(null);

  function handleCheck({ nativeEvent }: ChangeEvent) {
    // React reports checkbox changes as clicks, also from the keyboard.
    onToggle(file.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  }
  function handleRenamed() {
    // Focus was on the field.
    tile.current?.focus({ preventScroll: true });
    onRename(null);
  }
  return (
    <div ref={tile} tabIndex={-1} className={classNames(TILE, isSelected ? "bg-select" : "hover:bg-raised")}>
      <div className="relative">
        <FilePicture file={file} />
        <div
          className={classNames(
            "absolute top-0 left-0 flex size-11 items-center justify-center desk:top-1.5 desk:left-1.5 desk:size-7 desk:rounded-1 desk:bg-overlay",
            !isSelecting && "max-desk:hidden",
          )}
        >
          <Checkbox label={`Select ${file.name}`} isLabelHidden checked={isSelected} onChange={handleCheck} />
        </div>
        {(file.kind === "video" || file.kind === "audio") && (
          <span className="tnum absolute right-1.5 bottom-1.5 rounded-1 bg-overlay px-1.5 text-11 leading-[18px] text-ink">
            {formatClipLength(file.durationSeconds)}
          </span>
        )}
      </div>
      <div className="mt-2 min-w-0">
        {isRenaming ? <RenameField file={file} onClose={handleRenamed} /> : <Name file={file} />}
        <p className="tnum truncate text-12 text-ink-3">
          {formatFileSize(file.sizeBytes)} · {describeUsage(file)} ·{" "}
          <time dateTime={file.createdAt} {...tooltip(formatWholeDate(file.createdAt))}>
            {formatShortDate(file.createdAt)}
          </time>
        </p>
        <Marks file={file} />
      </div>
      <div className="mt-auto -ml-1.5 flex gap-0.5 max-desk:-ml-3">
        <Actions {...props} />
      </div>
    </div>
  );
});

/** In its own shape, whole. */
function FilePicture({ file }: { file: LibraryFile }) {
  const { kind, thumbnailUrl } = file;
  return (
    <span
      className={classNames(
        "relative grid h-40 w-full place-items-center overflow-hidden rounded-2 text-ink-3",
        thumbnailUrl === null ? "bg-well" : kind === "image" ? BEHIND_IMAGES : "bg-screen",
      )}
    >
      {thumbnailUrl === null ? (
        <Icon icon={FILE_ICONS[kind]} size={26} />
      ) : (
        <img
          src={thumbnailUrl}
          alt=""
          loading="lazy"
          decoding="async"
          className={classNames("absolute inset-0 size-full object-contain", kind === "image" && "p-2")}
        />
      )}
    </span>
  );
}

function Name({ file: { name } }: { file: LibraryFile }) {
  return (
    <p dir="auto" className="truncate text-left text-14 font-medium text-ink" {...tooltipWhenCut(name)}>
      {name}
    </p>
  );
}

function Marks({ file: { isSample, tags } }: { file: LibraryFile }) {
  return (
    <div className="mt-0.5 flex h-4.5 gap-1 overflow-hidden" {...tooltipWhenCut(tags.join(", "))}>
      {isSample && <span className="mr-1 text-12 leading-[18px] text-ink-3">Sample</span>}
      {tags.length > 0 && (
        <ul aria-label="Tags" className="flex min-w-0 gap-1">
          {tags.map((tag) => (
            <li
              key={tag}
              className="max-w-40 shrink-0 truncate rounded-1 bg-well px-1.5 text-11 leading-[18px] text-ink-2 last:min-w-8 last:shrink"
            >
              {tag}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Actions({ file, onView, onUse, onRename, onTag, onDelete, onToggle }: LibraryTileProps) {
  const isPhone = useIsPhone();
  const use: MenuItem = { label: "Use in a new job", icon: Clapperboard, onSelect: () => onUse(file) };
  const items: MenuItem[] = [
    { label: "Rename", icon: Pencil, onSelect: () => onRename(file) },
    { label: "Edit tags", icon: Tag, onSelect: () => onTag(file) },
    { label: "Delete", icon: Trash2, onSelect: () => onDelete(file) },
  ];
  const select: MenuItem = { label: "Select", icon: SquareCheck, onSelect: () => onToggle(file.id, false) };
  return (
    <>
      {file.kind === "audio" && <ListenButton file={file} />}
      {file.kind === "video" && <IconButton icon={Play} label={`Play ${file.name}`} onClick={() => onView(file)} />}
      {file.kind === "image" && <IconButton icon={Eye} label={`View ${file.name}`} onClick={() => onView(file)} />}
      {!isPhone && (
        <IconButton icon={Clapperboard} label={`Use ${file.name} in a new job`} onClick={() => onUse(file)} />
      )}
      <Menu label={`More actions for ${file.name}`} icon={Ellipsis} items={isPhone ? [use, select, ...items] : items} />
    </>
  );
}

function describeUsage({ usage }: LibraryFile): string {
  return usage.jobs === 0 ? "Not used" : `in ${pluralize(usage.jobs, "job")}`;
}

const TILE =
  "relative flex h-[284px] flex-col rounded-3 p-2 transition-colors outline-none " +
  "focus-visible:outline-2 focus-visible:outline-focus";
