import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { useState } from "react";
import type { LibraryFile } from "#contract/calls.ts";
import type { UploadUse } from "#contract/library.ts";
import { CallError } from "../../../api/call-error.ts";
import { listLibrary } from "../../../api/jobs.ts";
import { deleteLibraryFile } from "../../../api/library.ts";
import { Button } from "../../../ui/button.tsx";
import { Checkbox } from "../../../ui/checkbox.tsx";
import { formatClipLength } from "../../../ui/clip-length.ts";
import { ConfirmDialog } from "../../../ui/confirm-dialog.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { EmptyState } from "../../../ui/empty-state.tsx";
import { ErrorState } from "../../../ui/error-state.tsx";
import { formatFileSize } from "../../../ui/file-size.ts";
import { IconButton } from "../../../ui/icon-button.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { tooltipWhenCut } from "../../../ui/tooltip.ts";
import { useToast } from "../../../ui/use-toast.ts";
import { countWords } from "../../../jobs/count-words.ts";

const KINDS = { video: "video", music: "audio" } as const;
const NOTHING: ReadonlySet<string> = new Set();

/** Picks files of the library for a field of links, and deletes what is not needed any more. */
export default function LibraryDialog({
  isOpen,
  use,
  links,
  onAdd,
  onClose,
}: {
  isOpen: boolean;
  use: UploadUse;
  /** What the field holds already. */
  links: readonly string[];
  onAdd: (links: string[]) => void;
  onClose: () => void;
}) {
  const { data, error, isFetching, refetch } = useQuery({ queryKey: ["library"], queryFn: listLibrary });
  const [chosen, setChosen] = useState(NOTHING);
  const deletion = useDeletion();
  const files = data?.data.filter((file) => file.kind === KINDS[use]).toReversed();
  const added = (files ?? []).filter(({ id, link }) => chosen.has(id) && !links.includes(link));

  function handleClose() {
    setChosen(NOTHING);
    onClose();
  }
  function handleToggle(id: string) {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  }
  return (
    <>
      <Dialog
        isOpen={isOpen}
        title="Library"
        text={use === "music" ? "Uploaded music and the sample track." : "Uploaded videos and the sample clips."}
        onClose={handleClose}
        onSubmit={() => {
          onAdd(added.map(({ link }) => link));
          handleClose();
        }}
        footer={
          <>
            <Button look="quiet" onClick={handleClose}>
              Close
            </Button>
            <Button type="submit" look="primary" disabled={added.length === 0}>
              {added.length === 0 ? "Add files" : `Add ${countWords(added.length, "file")}`}
            </Button>
          </>
        }
      >
        {error && !data ? (
          <ErrorState
            title="The library could not be loaded"
            text={error.message}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <Files
            files={files}
            use={use}
            isChosen={({ id, link }) => chosen.has(id) || links.includes(link)}
            isHeld={({ link }) => links.includes(link)}
            onToggle={handleToggle}
            onDelete={deletion.ask}
          />
        )}
      </Dialog>
      <ConfirmDialog
        isOpen={deletion.asked !== null}
        title={`Delete ${deletion.asked?.name ?? "this file"}?`}
        text="Jobs that have ended keep their files, but running them again will not find this one."
        confirmLabel="Delete file"
        cancelLabel="Keep it"
        isBusy={deletion.isBusy}
        onConfirm={deletion.confirm}
        onClose={deletion.dismiss}
      />
    </>
  );
}

function Files({
  files,
  use,
  isChosen,
  isHeld,
  onToggle,
  onDelete,
}: {
  /** Undefined while they are loaded. */
  files: LibraryFile[] | undefined;
  use: UploadUse;
  isChosen: (file: LibraryFile) => boolean;
  isHeld: (file: LibraryFile) => boolean;
  onToggle: (id: string) => void;
  onDelete: (file: LibraryFile) => void;
}) {
  if (!files) {
    return (
      <div aria-busy className="grid gap-2">
        {[0, 1, 2].map((row) => (
          <Skeleton key={row} className="h-9" />
        ))}
      </div>
    );
  }
  if (files.length === 0) {
    const text = `Upload ${use === "music" ? "music" : "videos"}, or drop files anywhere on this page.`;
    return <EmptyState title="Nothing here yet" text={text} />;
  }
  return (
    <ul className="-mx-2 max-h-[min(420px,50dvh)] overflow-auto px-2">
      {files.map((file) => (
        <li key={file.id} className="flex min-h-11 items-center gap-3 border-t border-line first:border-t-0">
          <Checkbox
            label={file.name}
            isLabelHidden
            checked={isChosen(file)}
            disabled={isHeld(file)}
            onChange={() => onToggle(file.id)}
          />
          <span className="min-w-0 flex-1">
            <span className="block truncate text-ink" {...tooltipWhenCut(file.name)}>
              {file.name}
            </span>
            <span className="tnum block text-12 text-ink-3">{describe(file, isHeld(file))}</span>
          </span>
          <IconButton icon={Trash2} label={`Delete ${file.name}`} onClick={() => onDelete(file)} />
        </li>
      ))}
    </ul>
  );
}

function describe({ durationSeconds, sizeBytes, isSample }: LibraryFile, isHeld: boolean): string {
  const facts = [formatClipLength(durationSeconds), formatFileSize(sizeBytes)];
  if (isSample) facts.push("Sample");
  if (isHeld) facts.push("Added already");
  return facts.join(" · ");
}

/** The deletion of one file, asked for first. */
function useDeletion() {
  const toast = useToast();
  const client = useQueryClient();
  const [asked, setAsked] = useState<LibraryFile | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (file: LibraryFile) => deleteLibraryFile(file.id),
    onSuccess: (answer) => client.setQueryData(["library"], answer),
    onError: (error) => {
      const description = error instanceof CallError ? error.message : "The file could not be deleted.";
      toast.show({ title: "File Not Deleted", description, variant: "destructive" });
    },
    onSettled: () => setAsked(null),
  });
  return {
    asked,
    ask: setAsked,
    dismiss: () => setAsked(null),
    isBusy: isPending,
    confirm: () => asked && mutate(asked),
  };
}
