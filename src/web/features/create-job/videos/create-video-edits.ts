import type { UseFormReturn } from "react-hook-form";
import { splitLinks } from "#contract/sources/links.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import type { ToastOptions } from "../../../ui/toasts/toast-list.ts";
import type { JobForm } from "../draft/job-form.ts";
import { removeEntries, reorderEntries, replaceEntry, toEntries, toText, type Entry } from "./edit-entries.ts";
import { sortRows, type SortOrder, type VideoRow } from "./read-rows.ts";

export type VideoEdits = ReturnType<typeof createVideoEdits>;

const SORTED: Record<SortOrder, string> = {
  name: "By name.",
  shortest: "Shortest first.",
  longest: "Longest first.",
};

/** All edits but a move show a toast with Undo. */
export function createVideoEdits(
  { getValues, setValue }: Pick<UseFormReturn<JobForm>, "getValues" | "setValue">,
  showToast: (toast: ToastOptions) => void,
) {
  function rewrite(text: string, message: { title: string; description: string } | null): void {
    const before = getValues("videoLinks");
    if (text === before) return;
    setValue("videoLinks", text, { shouldDirty: true });
    const undo = () => setValue("videoLinks", before, { shouldDirty: true });
    if (message) showToast({ ...message, action: { label: "Undo", onClick: undo } });
  }
  const entries = (): Entry[] => toEntries(splitLinks(getValues("videoLinks")));

  return {
    rewrite,
    remove(rows: readonly VideoRow[]): void {
      const kept = removeEntries(entries(), new Set(rows.map(({ key }) => key)));
      const only = rows.length === 1 ? rows[0] : undefined;
      rewrite(
        toText(kept),
        only
          ? { title: "Video Removed", description: only.name }
          : { title: "Videos Removed", description: `${pluralize(rows.length, "video")} removed.` },
      );
    },
    /** `order` must contain the keys of all rows. */
    reorder(order: readonly string[]): void {
      rewrite(toText(reorderEntries(entries(), order)), null);
    },
    sort(rows: readonly VideoRow[], order: SortOrder): void {
      const sorted = toText(reorderEntries(entries(), sortRows(rows, order)));
      rewrite(sorted, { title: "Videos Sorted", description: SORTED[order] });
    },
    /** Replaces a folder's line with its files. */
    expand({ key, name, files }: VideoRow): void {
      const links = (files ?? []).map(({ link }) => link);
      const description = `${name} was replaced with ${pluralize(links.length, "file")}.`;
      rewrite(toText(replaceEntry(entries(), key, links)), { title: "Files Added", description });
    },
  };
}
