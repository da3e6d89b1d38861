import type { ComponentType, ReactNode } from "react";
import type { SetTable } from "../api/set-tables.ts";
import type { paths } from "../app/routing/paths.ts";
import type { Typed } from "./editor/splitting/split-at-commas.ts";

/** `itemTools` come in addition to copying. */
export type ItemLook = { nameItem: (item: string) => string; itemTools?: ((item: string) => ReactNode) | undefined };

/** What differs between caption sets and audio sets. */
export type SetKind = {
  table: SetTable;
  path: typeof paths.captionSets | typeof paths.audioSets;
  /** The job form's search parameter. */
  jobParameter: "captionSet" | "audioSet";
  /** "caption" or "track". */
  item: string;
  /** Maximum item name length on a card; null for none. */
  cardCharacters: number | null;
  limits: { items: number; characters: number };
  split: (text: string) => string[];
  /** Returns the corrected text, or null if unchanged. */
  whenTyped: (typed: Typed) => Typed | null;
  /** Returns the field's text after the paste; null to paste the text unchanged. */
  whenPasted: (field: string, pasted: string) => string | null;
  /** Shows items that a job could not use. */
  Warnings: ComponentType<{ items: readonly string[] }>;
  /** What becomes of an item in a job. */
  Preview?: ComponentType<{ item: string }>;
  texts: SetTexts;
};

/** Complete sentences. */
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
  /** The name or the items are missing. */
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
