import type { ComponentType, ReactNode } from "react";
import type { SetTable } from "../api/set-tables.ts";
import type { paths } from "../app/routing/paths.ts";
import type { Typed } from "./editor/splitting/split-at-commas.ts";

/** How items are shown: what one is called, and what can be done with it besides copying. */
export type ItemLook = { nameItem: (item: string) => string; itemTools?: ((item: string) => ReactNode) | undefined };

/** All in which caption sets and audio sets differ: their table, their rules and their texts. */
export type SetKind = {
  table: SetTable;
  path: typeof paths.captionSets | typeof paths.audioSets;
  /** Which search parameter hands a set to the job screen. */
  jobParameter: "captionSet" | "audioSet";
  /** What one item is called: "caption", "track". */
  item: string;
  /** The most of an item's name that a card shows, where there is a limit. */
  cardCharacters: number | null;
  limits: { items: number; characters: number };
  /** The items of a typed text. */
  split: (text: string) => string[];
  /** What a change of the field makes of its text; null when it stays as it is. */
  whenTyped: (typed: Typed) => Typed | null;
  /** The field's text when something is pasted into it; null when that arrives as it is. */
  whenPasted: (field: string, pasted: string) => string | null;
  /** Says what a job could not use of these items; nothing when all is well. */
  Warnings: ComponentType<{ items: readonly string[] }>;
  texts: SetTexts;
};

/** The sentences, whole. */
type SetTexts = {
  title: string;
  subtitle: string;
  loading: string;
  offline: string;
  search: string;
  searchPlaceholder: string;
  emptyTitle: string;
  emptyText: string;
  noMatchTitle: string;
  createTitle: string;
  editTitle: string;
  itemsLabel: string;
  itemsHint: string;
  itemsPlaceholder: string;
  findItem: string;
  nameNeeded: string;
  itemsNeeded: string;
  /** Without a name or items. */
  needed: string;
  nameTooLong: string;
  tooMany: string;
  tooLong: (itemNumber: number) => string;
  created: string;
  updated: string;
  deleted: string;
  failedToLoad: string;
  failedToCreate: string;
  failedToUpdate: string;
  failedToDelete: string;
  gone: string;
  deletedWhileEditing: string;
  changedWhileEditing: string;
  askToDelete: string;
  deletionKeeps: string;
};
