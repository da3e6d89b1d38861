import { Autocomplete } from "@base-ui/react/autocomplete";
import { Dialog } from "@base-ui/react/dialog";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Search } from "lucide-react";
import { useState } from "react";
import type { Job, JobStatus } from "#contract/jobs/jobs.ts";
import { listJobs } from "../../api/jobs.ts";
import { openTables, requireRows } from "../../api/tables.ts";
import { CancelJobDialog } from "../../jobs/actions/cancel-job-dialog.tsx";
import { useCancelJob } from "../../jobs/actions/use-cancel-job.ts";
import { useDownloadZip } from "../../jobs/actions/use-download-zip.ts";
import { useIsQueuePaused, useSteerSystem } from "../../jobs/order/use-claiming.ts";
import { classNames } from "../../ui/class-names.ts";
import { Icon } from "../../ui/page/icon.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { useSettled } from "../../ui/use-settled.ts";
import { type Found, keepMatching, type NamedSet, readVerb } from "./keep-matching.ts";
import {
  type GlobalAction,
  type PaletteAction,
  type PaletteGroup,
  paletteGroups,
  type PaletteItem,
  type QueueAction,
} from "./palette-items.ts";

export default function PaletteDialog({
  opening,
  isOpen,
  onClose,
  onAct,
}: {
  /** Counts, so that each opening starts empty, also while the last one fades out. */
  opening: number;
  isOpen: boolean;
  onClose: () => void;
  /** Actions performed by the parent. */
  onAct: (act: GlobalAction) => void;
}) {
  const cancel = useCancelJob();
  const { download } = useDownloadZip();
  const { mutate: steer } = useSteerSystem();
  const toast = useToast();
  const [jobToCancel, setJobToCancel] = useState<Job | null>(null);
  // Kept for the closing animation.
  const [lastJobToCancel, setLastJobToCancel] = useState<Job | null>(null);

  function steerQueue(act: QueueAction) {
    steer(act, {
      onSuccess: () =>
        toast.show(
          act.action === "pause-queue"
            ? {
                title: "Queue Paused",
                description: "Videos in progress will finish; no new ones will start.",
                variant: "success",
              }
            : { title: "Queue Resumed", description: "Waiting videos will start.", variant: "success" },
        ),
    });
  }
  function handleAct(act: PaletteAction) {
    if (typeof act === "object" && "cancel" in act) {
      onClose();
      setJobToCancel(act.cancel);
      setLastJobToCancel(act.cancel);
    } else if (typeof act === "object" && "download" in act) {
      onClose();
      download(act.download.id);
    } else if (typeof act === "object" && "action" in act) {
      onClose();
      steerQueue(act);
    } else onAct(act);
  }
  return (
    <>
      <Dialog.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
        <Dialog.Portal>
          <Dialog.Backdrop className="fixed inset-0 z-20 bg-scrim transition-opacity duration-(--d-3) data-ending-style:opacity-0 data-starting-style:opacity-0" />
          <Dialog.Popup
            aria-label="Find a job, set or page"
            className="fixed top-[12vh] left-1/2 z-20 w-[560px] max-w-[calc(100vw-24px)] -translate-x-1/2 overflow-hidden rounded-3 border border-line-strong bg-overlay shadow-sheet transition duration-(--d-2) ease-move outline-none data-ending-style:opacity-0 data-starting-style:-translate-y-2 data-starting-style:opacity-0"
          >
            <Finder key={opening} onAct={handleAct} />
          </Dialog.Popup>
        </Dialog.Portal>
      </Dialog.Root>
      {lastJobToCancel && (
        <CancelJobDialog
          job={lastJobToCancel}
          isOpen={jobToCancel !== null}
          onConfirm={() => cancel(lastJobToCancel.id)}
          onClose={() => setJobToCancel(null)}
        />
      )}
    </>
  );
}

function Finder({ onAct }: { onAct: (act: PaletteAction) => void }) {
  const [typed, setTyped] = useState("");
  const { found, isError } = useFound(typed);
  const groups = paletteGroups(typed, found, useIsQueuePaused());
  return (
    <Autocomplete.Root
      inline
      open
      mode="none"
      autoHighlight="always"
      keepHighlight
      items={groups}
      value={typed}
      itemToStringValue={(item: PaletteItem) => item.label}
      onValueChange={(text, { reason }) => reason !== "item-press" && setTyped(text)}
    >
      <div className="flex h-12 items-center gap-2.5 border-b border-line px-4">
        <Icon icon={Search} className="shrink-0 text-ink-3" />
        <Autocomplete.Input
          aria-label="Find a job, set or page"
          placeholder="Find a job, set or page"
          className="w-full min-w-0 bg-transparent text-14 text-ink outline-none placeholder:text-ink-3 placeholder:opacity-100 max-desk:text-[16px]"
        />
      </div>
      <Autocomplete.Empty className="px-4 text-ink-3 not-empty:py-6">
        {isError ? "Couldn't search jobs and sets. Try again." : "No results."}
      </Autocomplete.Empty>
      <Autocomplete.List className="max-h-[min(60dvh,420px)] overflow-y-auto overscroll-contain p-1 data-empty:p-0">
        {(group: PaletteGroup) => (
          <Autocomplete.Group key={group.value} items={group.items}>
            <Autocomplete.GroupLabel className="px-3 pt-2 pb-1 text-11 font-medium text-ink-3">
              {group.value}
            </Autocomplete.GroupLabel>
            <Autocomplete.Collection>
              {(item: PaletteItem) => <Entry key={item.id} item={item} onAct={onAct} />}
            </Autocomplete.Collection>
          </Autocomplete.Group>
        )}
      </Autocomplete.List>
    </Autocomplete.Root>
  );
}

function Entry({ item, onAct }: { item: PaletteItem; onAct: (act: PaletteAction) => void }) {
  return (
    <Autocomplete.Item
      value={item}
      className="flex h-8 cursor-pointer items-center gap-2.5 rounded-2 px-3 font-medium text-ink-2 outline-none select-none data-highlighted:bg-raised-2 data-highlighted:text-ink max-desk:h-11"
      onClick={() => onAct(item.act)}
    >
      <Icon icon={item.icon} className="shrink-0 text-ink-3" />
      <span className="flex min-w-0 flex-1 gap-2">
        <bdi className={classNames("truncate", item.detail != null && "max-w-1/2 shrink-0")}>{item.label}</bdi>
        {item.detail != null && <bdi className="truncate font-normal text-ink-3">{item.detail}</bdi>}
      </span>
      {item.note !== undefined && <span className="tnum shrink-0 text-12 font-normal text-ink-3">{item.note}</span>}
    </Autocomplete.Item>
  );
}

const NOTHING: Found = { jobs: [], actionJobs: [], captionSets: [], audioSets: [] };
const DEBOUNCE_MS = 200;
const MAX_PER_KIND = 5;

/** Searches once typing pauses; without text, returns the newest jobs. */
function useFound(typed: string): { found: Found; isError: boolean } {
  const query = useSettled(typed.trim(), DEBOUNCE_MS);
  const { data, isPlaceholderData, isError } = useQuery({
    queryKey: ["palette", query],
    queryFn: async ({ signal }): Promise<Found> => {
      const [jobs, actionJobs, captionSets, audioSets] = await Promise.all([
        findJobs(query, signal),
        findForVerb(query, signal),
        findSets("caption_sets", query, signal),
        findSets("audio_sets", query, signal),
      ]);
      return { jobs, actionJobs, captionSets, audioSets };
    },
    placeholderData: keepPreviousData,
  });
  const isCurrent = !isPlaceholderData && query === typed.trim();
  return { found: isCurrent ? (data ?? NOTHING) : keepMatching(data ?? NOTHING, typed), isError };
}

async function findJobs(search: string, signal: AbortSignal, status?: JobStatus): Promise<Job[]> {
  const request = { page: "1", limit: String(MAX_PER_KIND), ...(search && { search }), ...(status && { status }) };
  return (await listJobs(request, signal)).jobs;
}

async function findForVerb(typed: string, signal: AbortSignal): Promise<Job[]> {
  const read = readVerb(typed);
  if (read === null) return [];
  const statuses: JobStatus[] = read.verb === "cancel" ? ["Processing", "Queued"] : ["Completed"];
  return (await Promise.all(statuses.map((status) => findJobs(read.words, signal, status)))).flat();
}

async function findSets(table: "caption_sets" | "audio_sets", query: string, signal: AbortSignal): Promise<NamedSet[]> {
  if (query === "") return [];
  const tables = await openTables();
  const pattern = `%${query.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const rows = tables.from(table).select("id,name").ilike("name", pattern);
  return requireRows(
    await rows.order("created_at", { ascending: false }).limit(MAX_PER_KIND).abortSignal(signal),
  ) as NamedSet[];
}
