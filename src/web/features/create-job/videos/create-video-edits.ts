import type { UseFormReturn } from "react-hook-form";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import { rowsOfLinks } from "#contract/jobs/rows.ts";
import { splitLinks } from "#contract/sources/links.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import type { ToastOptions } from "../../../ui/toasts/toast-list.ts";
import type { JobForm } from "../draft/job-form.ts";
import { removeEntries, reorderEntries, replaceEntry, toEntries, toText, type Entry } from "./edit-entries.ts";
import { readRows } from "../setting-fields.ts";
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
  function write({ videoLinks, rows }: Pick<JobForm, "videoLinks" | "rows">): void {
    setValue("rows", rows, { shouldDirty: true });
    setValue("videoLinks", videoLinks, { shouldDirty: true });
  }
  function read(): { entries: Entry[]; unused: JobRow[] } {
    const links = splitLinks(getValues("videoLinks"));
    const all = readRows(getValues("rows"));
    const rows = rowsOfLinks(links, all);
    const used = new Set(rows);
    return { entries: toEntries(links, rows), unused: all.filter((row) => !used.has(row)) };
  }
  const entries = (): Entry[] => read().entries;
  function rewrite(next: readonly Entry[], message: { title: string; description: string } | null): void {
    const before = { videoLinks: getValues("videoLinks"), rows: getValues("rows") };
    const { entries: all, unused } = read();
    if (next.length === all.length && next.every(({ key }, index) => key === all[index]?.key)) return;
    // Videos with the same link have their rows in the order of the text. Rows of lines that were cut follow, because
    // these lines may be pasted again.
    const rows = [...next.map(({ link, row }) => row ?? { link }), ...unused];
    const hasRows = all.some(({ row }) => row !== null);
    const after = { videoLinks: toText(next), rows: hasRows ? JSON.stringify(rows) : before.rows };
    write(after);
    if (message) showToast({ ...message, action: { label: "Undo", onClick: () => write(before) } });
  }

  return {
    /** Keeps the lines with these indexes. */
    keep: (kept: readonly number[], message: { title: string; description: string }): void => {
      const all = entries();
      rewrite(
        kept.flatMap((index) => all[index] ?? []),
        message,
      );
    },
    remove(rows: readonly VideoRow[]): void {
      const kept = removeEntries(entries(), new Set(rows.map(({ key }) => key)));
      const only = rows.length === 1 ? rows[0] : undefined;
      rewrite(
        kept,
        only
          ? { title: "Video Removed", description: only.name }
          : { title: "Videos Removed", description: `${pluralize(rows.length, "video")} removed.` },
      );
    },
    /** Removes the rows of a table, too. */
    replaceAll(links: readonly string[]): void {
      const before = { videoLinks: getValues("videoLinks"), rows: getValues("rows") };
      write({ videoLinks: links.join("\n"), rows: "" });
      const description = `${pluralize(links.length, "pasted link")} replaced the copied videos.`;
      showToast({ title: "Videos Replaced", description, action: { label: "Undo", onClick: () => write(before) } });
    },
    /** `order` must contain the keys of all rows. */
    reorder(order: readonly string[]): void {
      rewrite(reorderEntries(entries(), order), null);
    },
    sort(rows: readonly VideoRow[], order: SortOrder): void {
      const sorted = reorderEntries(entries(), sortRows(rows, order));
      rewrite(sorted, { title: "Videos Sorted", description: SORTED[order] });
    },
    /** Replaces a folder's line with its files. */
    expand({ key, name, files }: VideoRow): void {
      const links = (files ?? []).map(({ link }) => link);
      const description = `${name} was replaced with ${pluralize(links.length, "file")}.`;
      rewrite(replaceEntry(entries(), key, links), { title: "Files Added", description });
    },
  };
}
