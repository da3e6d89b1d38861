import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { HeldFile, LibraryFile, LibraryResponse } from "#contract/calls.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { deleteLibraryFiles } from "../../api/functions/library.ts";
import { formatCount } from "../../jobs/row/pluralize.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { libraryKey, libraryQuery } from "../use-library.ts";
import { describeDeletion } from "./describe-deletion.ts";
import { HeldFilesDialog } from "./held-files-dialog.tsx";

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
