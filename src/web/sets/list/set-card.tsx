import { Link } from "@tanstack/react-router";
import { Clapperboard, Eye, Pencil, Trash2 } from "lucide-react";
import { memo } from "react";
import type { SavedSet } from "../../api/set-tables.ts";
import { paths } from "../../app/routing/paths.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { cutText } from "../../jobs/row/cut-text.ts";
import { MetaLine } from "../../jobs/row/job-row.tsx";
import { formatShortDate, formatWholeDate } from "../../jobs/time/short-date.ts";
import { IconButton, iconButtonClasses } from "../../ui/buttons/icon-button.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { tooltip, tooltipWhenCut } from "../../ui/page/tooltip.ts";
import { previewItems } from "./search-sets.ts";
import type { SetKind } from "../set-kind.ts";

export type SetActions = {
  onView: (set: SavedSet) => void;
  onEdit: (set: SavedSet) => void;
  onDelete: (set: SavedSet) => void;
};

type SetCardProps = SetActions & {
  kind: SetKind;
  set: SavedSet;
  words: string;
  nameItem: (item: string) => string;
};

export const SetCard = memo(function SetCard({ kind, set, words, nameItem, onView, onEdit, onDelete }: SetCardProps) {
  const titleId = `set-${set.id}`;
  return (
    <li className={`${CARD} transition-colors hover:bg-raised`}>
      <h2
        id={titleId}
        dir="auto"
        className="truncate text-left text-14 font-medium max-desk:-my-3"
        {...tooltipWhenCut(set.name)}
      >
        <button
          type="button"
          className="max-w-full truncate rounded-1 hover:underline max-desk:py-3"
          onClick={() => onView(set)}
        >
          {set.name}
        </button>
      </h2>
      <ul className="mt-1.5 mb-2 grid h-10 content-start">
        {previewItems(set.items, words).map((item, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- the same item may be there twice
          <ItemPreview key={index} name={nameItem(item)} maxCharacters={kind.cardCharacters} />
        ))}
      </ul>
      <div className="-mb-1.5 flex items-center justify-between gap-2">
        <MetaLine
          parts={[
            pluralize(set.items.length, kind.item),
            <time key="created" dateTime={set.created_at} {...tooltip(formatWholeDate(set.created_at))}>
              {formatShortDate(set.created_at)}
            </time>,
          ]}
        />
        <div className="-mr-1.5 flex shrink-0 max-desk:-mr-3">
          <Link
            to={paths.createJob}
            search={{ [kind.jobParameter]: set.id }}
            aria-label="Use in a new job"
            aria-describedby={titleId}
            className={iconButtonClasses}
            {...tooltip("Use in a new job")}
          >
            <Icon icon={Clapperboard} />
          </Link>
          <IconButton icon={Eye} label="View" aria-describedby={titleId} onClick={() => onView(set)} />
          <IconButton
            id={editButtonId(set.id)}
            icon={Pencil}
            label="Edit"
            aria-describedby={titleId}
            onClick={() => onEdit(set)}
          />
          <IconButton
            id={deleteButtonId(set.id)}
            icon={Trash2}
            label="Delete"
            aria-describedby={titleId}
            onClick={() => onDelete(set)}
          />
        </div>
      </div>
    </li>
  );
});

function ItemPreview({ name, maxCharacters }: { name: string; maxCharacters: number | null }) {
  const cut = maxCharacters === null ? name : cutText(name, maxCharacters);
  return (
    <li dir="auto" className="raw truncate text-left" {...(cut === name ? tooltipWhenCut(name) : tooltip(name))}>
      {cut}
    </li>
  );
}

/** For restoring focus. */
export const editButtonId = (setId: string): string => `edit-set-${setId}`;
/** For restoring focus after a canceled deletion. */
export const deleteButtonId = (setId: string): string => `delete-set-${setId}`;

export function SetCardSkeleton() {
  return (
    <li className={CARD}>
      <Skeleton className="my-1 h-3 w-2/5" />
      <div className="mt-1.5 mb-2 grid h-10 content-around">
        <Skeleton className="h-2.5 w-4/5" />
        <Skeleton className="h-2.5 w-3/5" />
      </div>
      <Skeleton className="mt-3 mb-1 h-2.5 w-1/3" />
    </li>
  );
}

/** Skips layout off screen: there may be a thousand cards. */
const CARD =
  "relative min-w-0 rounded-2 px-3 py-4 [contain-intrinsic-size:auto_134px] [content-visibility:auto] " +
  "before:absolute before:inset-x-3 before:top-0 before:border-t before:border-line " +
  "max-desk:rounded-none max-desk:px-4 max-desk:before:inset-x-4";
