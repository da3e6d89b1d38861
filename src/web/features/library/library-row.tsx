import { Clapperboard, Ellipsis, Eye, Pencil, Play, SquareCheck, Tag, Trash2 } from "lucide-react";
import { memo, useRef, type ChangeEvent } from "react";
import type { LibraryFile } from "#contract/calls.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { formatShortDate, formatWholeDate } from "../../jobs/time/short-date.ts";
import { ListenButton } from "../../sources/listen-button.tsx";
import { SourcePicture } from "../../sources/source-picture.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Checkbox } from "../../ui/fields/checkbox.tsx";
import { Menu, type MenuItem } from "../../ui/menus/menu.tsx";
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

type LibraryRowProps = FileActions & {
  file: LibraryFile;
  isSelected: boolean;
  isSelecting: boolean;
  isRenaming: boolean;
};

export const libraryColumns =
  "desk:grid-cols-[16px_40px_minmax(0,1fr)_56px_72px_88px_92px] wide:grid-cols-[16px_40px_minmax(0,1fr)_56px_72px_88px_100px_92px]";

export const LibraryRow = memo(function LibraryRow(props: LibraryRowProps) {
  const { file, isSelected, isSelecting, isRenaming, onRename, onToggle } = props;
  const row = useRef<HTMLDivElement>(null);

  function handleCheck({ nativeEvent }: ChangeEvent) {
    // React reports checkbox changes as clicks, also from the keyboard.
    onToggle(file.id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
  }
  function handleRenamed() {
    // Focus was on the field.
    row.current?.focus({ preventScroll: true });
    onRename(null);
  }
  return (
    <div
      ref={row}
      tabIndex={-1}
      className={classNames(
        ROW,
        isSelecting ? PHONE_SELECTING : PHONE,
        isSelected ? "bg-select" : "rounded-2 hover:bg-raised",
        libraryColumns,
      )}
    >
      <div className={classNames("flex max-desk:[grid-area:check]", !isSelecting && "max-desk:hidden")}>
        <Checkbox label={`Select ${file.name}`} isLabelHidden checked={isSelected} onChange={handleCheck} />
      </div>
      <div className="grid justify-items-center max-desk:[grid-area:picture]">
        <SourcePicture file={file} />
      </div>
      <div className="min-w-0 max-desk:[grid-area:what]">
        {isRenaming ? <RenameField file={file} onClose={handleRenamed} /> : <Name file={file} />}
        <p className="tnum truncate text-12 text-ink-3 desk:hidden">{phoneFacts(file)}</p>
        <Marks file={file} />
      </div>
      <Figure>{file.kind === "image" ? "" : formatClipLength(file.durationSeconds)}</Figure>
      <Figure>{formatFileSize(file.sizeBytes)}</Figure>
      <Figure>{describeUsage(file)}</Figure>
      <time
        dateTime={file.createdAt}
        className="tnum text-right text-12 text-ink-3 max-wide:hidden"
        {...tooltip(formatWholeDate(file.createdAt))}
      >
        {formatShortDate(file.createdAt)}
      </time>
      <div className="-mr-1.5 flex justify-end gap-0.5 max-desk:-mr-3 max-desk:[grid-area:acts]">
        <Actions {...props} />
      </div>
    </div>
  );
});

function Name({ file: { name } }: { file: LibraryFile }) {
  return (
    <p dir="auto" className="truncate text-left text-14 font-medium text-ink" {...tooltipWhenCut(name)}>
      {name}
    </p>
  );
}

function Marks({ file: { isSample, tags } }: { file: LibraryFile }) {
  if (!isSample && tags.length === 0) return null;
  return (
    <div className="mt-0.5 flex h-4.5 gap-1 overflow-hidden" {...tooltipWhenCut(tags.join(", "))}>
      {isSample && <span className="mr-1 text-12 leading-[18px] text-ink-3">Sample</span>}
      {tags.length > 0 && (
        <ul aria-label="Tags" className="flex gap-1">
          {tags.map((tag) => (
            <li key={tag} className="max-w-40 truncate rounded-1 bg-well px-1.5 text-11 leading-[18px] text-ink-2">
              {tag}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Actions({ file, onView, onUse, onRename, onTag, onDelete, onToggle }: LibraryRowProps) {
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

function Figure({ children }: { children: string }) {
  return <span className="tnum text-right text-12 text-ink-3 max-desk:hidden">{children}</span>;
}

function describeUsage({ usage }: LibraryFile): string {
  return usage.jobs === 0 ? "Not used" : `in ${pluralize(usage.jobs, "job")}`;
}

function phoneFacts(file: LibraryFile): string {
  const facts = [formatFileSize(file.sizeBytes), describeUsage(file)];
  return (file.kind === "image" ? facts : [formatClipLength(file.durationSeconds), ...facts]).join(" · ");
}

const ROW =
  "relative grid min-h-15 items-center gap-x-4 px-3 py-2 transition-colors outline-none " +
  "before:absolute before:inset-x-3 before:top-0 before:border-t before:border-line [li:first-child>&]:before:hidden " +
  "max-desk:gap-x-3 max-desk:rounded-none max-desk:px-4 max-desk:py-3 max-desk:before:inset-x-4";
const PHONE = "max-desk:grid-cols-[40px_minmax(0,1fr)_auto] max-desk:[grid-template-areas:'picture_what_acts']";
const PHONE_SELECTING =
  "max-desk:grid-cols-[16px_40px_minmax(0,1fr)_auto] max-desk:[grid-template-areas:'check_picture_what_acts']";
