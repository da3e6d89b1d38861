import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { splitCaptions } from "#contract/sources/links.ts";
import { captionSetTable } from "../../api/set-tables.ts";
import { paths } from "../../app/routing/paths.ts";
import { CaptionNotes } from "../../sets/editor/caption-notes.tsx";
import { splitPastedCaptions } from "../../sets/editor/splitting/split-at-commas.ts";
import { useCaptionCheck } from "../../sets/editor/use-caption-check.ts";
import type { SetKind } from "../../sets/set-kind.ts";
import { SetsPage } from "../../sets/sets-page.tsx";
import { CaptionPreview } from "./caption-preview.tsx";

/** Assumes the default position and size. */
function CaptionWarnings({ items }: { items: readonly string[] }) {
  return <CaptionNotes check={useCaptionCheck({ captions: items })} />;
}

const nameCaption = (caption: string): string => caption;

export function CaptionSetsPage() {
  return <SetsPage kind={captionSetKind} nameItem={nameCaption} />;
}

const captionSetKind: SetKind = {
  table: captionSetTable,
  path: paths.captionSets,
  jobParameter: "captionSet",
  item: "caption",
  cardCharacters: null,
  limits: { items: JOB_LIMITS.captions, characters: JOB_LIMITS.captionCharacters },
  split: splitCaptions,
  whenTyped: () => null,
  whenPasted: splitPastedCaptions,
  Warnings: CaptionWarnings,
  Preview: CaptionPreview,
  texts: {
    title: "Caption Sets",
    subtitle: "Reusable captions for any job",
    loading: "Loading caption sets",
    offline: "Your caption sets will load when you're back online.",
    search: "Search caption sets",
    searchPlaceholder: "Search caption sets...",
    emptyTitle: "No caption sets yet",
    emptyText: "Save captions once and use them in any job",
    noMatchTitle: "No caption sets found",
    createTitle: "New caption set",
    editTitle: "Edit caption set",
    itemsLabel: "Captions",
    itemsHint: "One caption per line",
    itemsPlaceholder: "Wait for the pour\nSave this for later",
    findItem: "Find a caption",
    nameNeeded: "Enter a name",
    itemsNeeded: "Enter at least one caption",
    needed: "Please provide both name and captions",
    nameTooLong: "Names can have at most 200 characters",
    tooMany: "A caption set can have at most 10,000 captions",
    tooLong: (number) => `Caption ${number} is longer than 2,000 characters`,
    created: "Caption Set Created",
    updated: "Caption Set Updated",
    deleted: "Caption Set Deleted",
    failedToLoad: "Failed to load caption sets",
    failedToCreate: "Failed to create caption set",
    failedToUpdate: "Failed to update caption set",
    failedToDelete: "Failed to delete caption set",
    gone: "This caption set no longer exists.",
    deletedWhileEditing: "This caption set was deleted while you were editing it. Save your changes as a new set.",
    changedWhileEditing:
      "This caption set was changed elsewhere while you were editing it. Saving replaces those changes.",
    askToDelete: "Delete this caption set?",
    deletionKeeps: "Jobs that used it keep their captions.",
  },
};
