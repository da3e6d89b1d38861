import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { HeldFile, LibraryFile, LibraryResponse } from "#contract/calls.ts";
import { jobTitle } from "#contract/jobs/jobs.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { deleteLibraryFiles } from "../../api/functions/library.ts";
import { paths } from "../../app/routing/paths.ts";
import { formatCount, pluralize } from "../../jobs/row/pluralize.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { libraryKey, libraryQuery } from "../use-library.ts";
import { describeDeletion } from "./describe-deletion.ts";

/** Confirms, deletes, and shows why other files were kept. Closed while `files` is empty. */
export function DeleteFiles({ files, onClose }: { files: readonly LibraryFile[]; onClose: () => void }) {
  const toast = useToast();
  const client = useQueryClient();
  const [held, setHeld] = useState<readonly HeldFile[]>([]);
  const [lastFiles, setLastFiles] = useState(files);
  // Keeps the text during the closing animation.
  if (files.length > 0 && files !== lastFiles) setLastFiles(files);
  // A job may have started or ended since the list was loaded.
  const { data: library } = useQuery({ ...libraryQuery, enabled: files.length > 0, staleTime: 0 });
  const newest = new Map(library?.data.map((file) => [file.id, file]));
  const { mutate, isPending } = useMutation({
    mutationFn: (ids: readonly string[]) => deleteLibraryFiles(ids),
    onSuccess: (kept, ids) => {
      const deleted = new Set(ids);
      for (const { id } of kept) deleted.delete(id);
      client.setQueryData<LibraryResponse>(
        libraryKey,
        (library) => library && { ...library, data: library.data.filter(({ id }) => !deleted.has(id)) },
      );
      setHeld(kept);
    },
    onError: (error) => {
      const description = error instanceof CallError ? error.message : "Couldn't delete the files. Try again.";
      toast.show({
        title: files.length === 1 ? "File Not Deleted" : "Files Not Deleted",
        description,
        variant: "destructive",
      });
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: libraryKey });
      onClose();
    },
  });
  const count = lastFiles.length;
  const isOne = count === 1;
  return (
    <>
      <ConfirmDialog
        isOpen={files.length > 0}
        title={isOne ? `Delete ${lastFiles[0]!.name}?` : `Delete ${formatCount(count)} files?`}
        text={describeDeletion(lastFiles.map((file) => newest.get(file.id) ?? file))}
        confirmLabel={isOne ? "Delete file" : "Delete files"}
        cancelLabel={isOne ? "Keep file" : "Keep files"}
        isBusy={isPending}
        onConfirm={() => mutate(files.map(({ id }) => id))}
        onClose={onClose}
      />
      <HeldFilesDialog held={held} onClose={() => setHeld([])} />
    </>
  );
}

/** Links to the jobs that need the files. Closed while `held` is empty. */
function HeldFilesDialog({ held, onClose }: { held: readonly HeldFile[]; onClose: () => void }) {
  const [last, setLast] = useState(held);
  // Keeps the list during the closing animation.
  if (held.length > 0 && held !== last) setLast(held);
  if (last.length === 0) return null;
  return (
    <Dialog
      isOpen={held.length > 0}
      title={last.length === 1 ? "File not deleted" : `${formatCount(last.length)} files not deleted`}
      text="These are still needed. Cancel the jobs or wait until they end, or remove the files from presets, brand kits and audio sets, then delete them again."
      onClose={onClose}
      footer={<Button onClick={onClose}>Close</Button>}
    >
      <ul aria-label="Files not deleted" className="-mx-2 max-h-[min(420px,50dvh)] overflow-auto px-2">
        {last.map((file) => (
          <HeldFileRow key={file.id} file={file} onLeave={onClose} />
        ))}
      </ul>
    </Dialog>
  );
}

function HeldFileRow({ file, onLeave }: { file: HeldFile; onLeave: () => void }) {
  const more = file.jobCount - file.jobs.length;
  return (
    <li className="border-t border-line py-2 first:border-t-0">
      <p dir="auto" className="text-left font-medium wrap-anywhere text-ink">
        {file.name}
      </p>
      {file.savedIn.length > 0 && (
        <p className="text-12 wrap-anywhere text-ink-3">Used by {file.savedIn.map(nameSaved).join(", ")}.</p>
      )}
      {(file.jobCount > 0 || file.isInCaptionLab) && (
        <p className="text-12 text-ink-3">
          {file.jobCount > 0
            ? `${pluralize(file.jobCount, "running or waiting job")} ${file.jobCount === 1 ? "needs" : "need"} this file:`
            : "Caption Lab is still using this file."}
        </p>
      )}
      {file.jobs.length > 0 && (
        <ul className="mt-1 grid justify-items-start gap-1">
          {file.jobs.map((job) => (
            <li key={job.id} className="max-w-full">
              <Link
                to={paths.job}
                params={{ jobId: job.id }}
                dir="auto"
                className="block min-h-6 truncate rounded-1 text-ink underline underline-offset-2 max-desk:min-h-11"
                onClick={onLeave}
              >
                {jobTitle(job)}
              </Link>
            </li>
          ))}
          {more > 0 && <li className="tnum text-12 text-ink-3">and {pluralize(more, "more job")}</li>}
        </ul>
      )}
    </li>
  );
}

function nameSaved({ kind, name }: HeldFile["savedIn"][number]): string {
  return `the ${kind} "${name}"`;
}
