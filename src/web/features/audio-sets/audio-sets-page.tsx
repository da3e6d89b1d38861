import { useCallback } from "react";
import { JOB_LIMITS } from "#contract/jobs/jobs.ts";
import { parseAudioLink, splitLinks } from "#contract/sources/links.ts";
import { audioSetTable } from "../../api/set-tables.ts";
import { paths } from "../../app/routing/paths.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { splitAtCommas } from "../../sets/editor/splitting/split-at-commas.ts";
import type { SetKind } from "../../sets/set-kind.ts";
import { SetsPage } from "../../sets/sets-page.tsx";
import { ListenButton, ListenLink } from "../../sources/listen-button.tsx";
import { libraryIdOf, nameSource } from "../../sources/named-sources.ts";
import { useAcceptedSources } from "../../sources/use-accepted-sources.ts";
import { useLibrary } from "../../sources/use-library.ts";
import { WarningNote } from "../../ui/states/warning-note.tsx";

function LinkWarnings({ items }: { items: readonly string[] }) {
  const accepted = useAcceptedSources();
  const unusable = items.filter((link) => !parseAudioLink(link, accepted)).length;
  if (unusable === 0) return null;
  const text = `${pluralize(unusable, "line")} can't be used in a job. Use links to Google Drive files or Instagram posts, reels or audio.`;
  return <WarningNote text={text} />;
}

export function AudioSetsPage() {
  const library = useLibrary();
  const nameItem = useCallback((link: string) => nameSource(link, library), [library]);
  const itemTools = useCallback(
    (link: string) => {
      const id = libraryIdOf(link);
      const file = library?.find((one) => one.id === id);
      return file ? <ListenButton file={file} /> : <ListenLink link={link} name={nameSource(link, library)} />;
    },
    [library],
  );
  return <SetsPage kind={audioSetKind} nameItem={nameItem} itemTools={itemTools} />;
}

const audioSetKind: SetKind = {
  table: audioSetTable,
  path: paths.audioSets,
  jobParameter: "audioSet",
  item: "track",
  cardCharacters: 30,
  limits: { items: JOB_LIMITS.tracks, characters: JOB_LIMITS.linkCharacters },
  split: splitLinks,
  whenTyped: splitAtCommas,
  whenPasted: () => null,
  Warnings: LinkWarnings,
  texts: {
    title: "Audio Sets",
    subtitle: "Reusable tracks for any job",
    loading: "Loading audio sets",
    offline: "Your audio sets will load when you're back online.",
    search: "Search audio sets",
    searchPlaceholder: "Search audio sets...",
    emptyTitle: "No audio sets yet",
    emptyText: "Save audio links once and use them in any job",
    noMatchTitle: "No audio sets found",
    createTitle: "New audio set",
    editTitle: "Edit audio set",
    itemsLabel: "Audio links",
    itemsHint: "Google Drive or Instagram, one per line",
    itemsPlaceholder: "https://drive.google.com/file/d/…",
    findItem: "Find a track",
    nameNeeded: "Enter a name",
    itemsNeeded: "Enter at least one audio link",
    needed: "Please provide both name and audio links",
    nameTooLong: "Names can have at most 200 characters",
    tooMany: "An audio set can have at most 1,000 audio links",
    tooLong: (number) => `Audio link ${number} is longer than 2,000 characters`,
    created: "Audio Set Created",
    updated: "Audio Set Updated",
    deleted: "Audio Set Deleted",
    failedToLoad: "Failed to load audio sets",
    failedToCreate: "Failed to create audio set",
    failedToUpdate: "Failed to update audio set",
    failedToDelete: "Failed to delete audio set",
    gone: "This audio set no longer exists.",
    deletedWhileEditing: "This audio set was deleted while you were editing it. Save your changes as a new set.",
    changedWhileEditing:
      "This audio set was changed elsewhere while you were editing it. Saving replaces those changes.",
    askToDelete: "Delete this audio set?",
    deletionKeeps: "Jobs that used it keep their tracks.",
  },
};
