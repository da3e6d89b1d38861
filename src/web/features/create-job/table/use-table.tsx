import { Table2, X } from "lucide-react";
import { Suspense, useEffect, useEffectEvent, useRef, useState, type ReactNode } from "react";
import type { UseFormReturn } from "react-hook-form";
import type { JobRow, JobSettings } from "#contract/job-settings/job-settings.ts";
import type { CreateJobRequest } from "#contract/jobs/create-job.ts";
import type { AcceptedSources } from "#contract/sources/accepted-sources.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { useAcceptedSources } from "../../../sources/use-accepted-sources.ts";
import { isTableFile, readDroppedFiles } from "../../../sources/uploads/dropped-files.ts";
import { takeTable } from "../../../sources/uploads/dropped-table.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import type { JobForm, ReadForm } from "../draft/job-form.ts";
import { arrivedRows, fieldsOfRows, rowsOfForm } from "./rows-of-form.ts";
import { looksLikeTable } from "./source/looks-like-table.ts";
import { readTableFile, type ReadFile } from "./source/read-table-file.ts";
import type { AddAction } from "../../../sources/uploads/add-files.tsx";
import type { TableStart } from "./table-dialog.tsx";

const TableDialog = lazyPart(() => import("./table-dialog.tsx"));

export type TablePart = {
  action: AddAction;
  /** Shown after a table was pasted into the links field. */
  offer: ReactNode;
  dialog: ReactNode;
  offerFor: (pasted: string) => void;
  /** Returns false for other text. */
  openIfTable: (text: string) => boolean;
};

type Opened = {
  id: number;
  start: TableStart;
  context: { accepted: AcceptedSources; settings: Partial<JobSettings> };
  /** The field's text at the opening. */
  before: string;
};

export function useTable({
  form: { getValues, setValue },
  read,
  request,
}: {
  form: UseFormReturn<JobForm>;
  read: ReadForm;
  request: () => CreateJobRequest;
}): TablePart {
  const toast = useToast();
  const accepted = useAcceptedSources();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const [pasted, setPasted] = useState<Pasted | null>(null);
  const hasRows = read.rows.length > 0;

  function open(start: TableStart) {
    // Null in a request means the default, like a missing setting.
    const settings = Object.fromEntries(Object.entries(request()).filter(([, value]) => value !== null));
    const before = getValues("videoLinks");
    setOpened((was) => ({ id: (was?.id ?? 0) + 1, start, context: { accepted, settings }, before }));
    setIsOpen(true);
    setPasted(null);
  }
  const isBusy = useRef(false);
  const [handleBusy] = useState(() => (is: boolean) => {
    isBusy.current = is;
  });
  useDroppedTable((start) => !isBusy.current && open(start));

  function write(fields: Pick<JobForm, "videoLinks" | "rows">) {
    setValue("rows", fields.rows, { shouldDirty: true });
    setValue("videoLinks", fields.videoLinks, { shouldDirty: true });
  }
  // Uploads may end while the table is open.
  const arrived = opened && isOpen ? arrivedRows(read, opened.before) : [];
  function handleUse(rows: JobRow[], isReplacing: boolean) {
    const before = { videoLinks: getValues("videoLinks"), rows: getValues("rows") };
    write(fieldsOfRows(isReplacing ? [...rows, ...arrived] : [...rowsOfForm(read), ...rows]));
    setIsOpen(false);
    toast.show({
      title: isReplacing ? "Table Updated" : "Table Added",
      description: `${pluralize(rows.length, "row")} ${rows.length === 1 ? "is" : "are"} in the list of videos.`,
      action: { label: "Undo", onClick: () => write(before) },
    });
  }
  function handleOffer() {
    if (!pasted) return;
    setValue("videoLinks", pasted.before, { shouldDirty: true });
    open({ kind: "text", text: pasted.text, name: null });
  }
  const links = read.videos.typed;
  // Any later edit withdraws the offer, which would undo it.
  if (pasted && pasted.after === null && links !== pasted.linksBefore) setPasted({ ...pasted, after: links });
  else if (pasted && pasted.after !== null && links !== pasted.after) setPasted(null);
  return {
    action: {
      label: hasRows ? "Edit table" : "Add a table",
      icon: Table2,
      onSelect: () => open(hasRows ? { kind: "rows", rows: rowsOfForm(read) } : { kind: "empty", problem: null }),
    },
    offer: pasted?.after && <TableOffer onUse={handleOffer} onDismiss={() => setPasted(null)} />,
    dialog: opened && (
      <Suspense>
        <TableDialog
          key={opened.id}
          isOpen={isOpen}
          start={opened.start}
          context={opened.context}
          listed={links.length - arrived.length}
          arrived={arrived.length}
          onUse={handleUse}
          onClose={() => setIsOpen(false)}
          onBusy={handleBusy}
        />
      </Suspense>
    ),
    openIfTable: (text) => {
      const isTable = looksLikeTable(text);
      if (isTable) open({ kind: "text", text, name: null });
      return isTable;
    },
    offerFor: (text) =>
      setPasted(
        looksLikeTable(text) ? { text, before: getValues("videoLinks"), linksBefore: links, after: null } : null,
      ),
  };
}

/** `before`: the field's text before the paste; `after`: null until the paste is applied. */
type Pasted = { text: string; before: string; linksBefore: readonly string[]; after: readonly string[] | null };

function TableOffer({ onUse, onDismiss }: { onUse: () => void; onDismiss: () => void }) {
  return (
    <div className="flex flex-wrap items-center gap-x-2 rounded-2 bg-raised py-1 pr-1 pl-2.5 text-12 text-ink">
      <Icon icon={Table2} size={14} className="shrink-0 text-ink-2" />
      <output className="min-w-0 flex-1">The pasted text looks like a table.</output>
      <Button size="sm" onClick={onUse}>
        Use as a table
      </Button>
      <IconButton icon={X} label="Keep it as links" onClick={onDismiss} />
    </div>
  );
}

function startOf(read: ReadFile, name: string): TableStart {
  if ("text" in read) return { kind: "text", text: read.text, name };
  return "undecoded" in read ? { kind: "undecoded", table: read.undecoded } : { kind: "empty", problem: read.problem };
}

/** From anywhere on the page, or handed over by another screen. */
function useDroppedTable(onOpen: (start: TableStart) => void) {
  const take = useEffectEvent((file: File) => {
    void readTableFile(file).then((read) => onOpen(startOf(read, file.name)));
  });
  useEffect(() => {
    const given = takeTable();
    if (given) take(given);
    const stop = new AbortController();
    window.addEventListener(
      "drop",
      ({ dataTransfer }) => {
        const dropped = dataTransfer ? readDroppedFiles(dataTransfer) : [];
        const table = dropped.find(({ file, isFolder }) => !isFolder && isTableFile(file));
        if (table) take(table.file);
      },
      stop,
    );
    return () => stop.abort();
  }, []);
}
