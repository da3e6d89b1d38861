import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { LibraryFile } from "#contract/calls.ts";
import type { UploadUse } from "#contract/library.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { deleteLibraryFile } from "../../../api/functions/library.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { libraryKey, libraryQuery } from "../../../sources/use-library.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { ErrorState } from "../../../ui/states/error-state.tsx";
import { useToast } from "../../../ui/toasts/use-toast.ts";
import { LibraryFiles } from "./library-files.tsx";
import { useLibraryChoice } from "./use-library-choice.ts";

const KINDS = { video: "video", music: "audio", image: "image" } as const;

const TEXTS = {
  video: "Uploaded videos and the sample clips.",
  music: "Uploaded music and the sample track.",
  image: "Uploaded images.",
} as const satisfies Record<UploadUse, string>;

/** Adds library files to a field, or picks the one image of a field, and deletes library files. */
export default function LibraryDialog({
  isOpen,
  use,
  links,
  onAdd,
  onClose,
}: {
  isOpen: boolean;
  use: UploadUse;
  links: readonly string[];
  onAdd: (links: string[]) => void;
  onClose: () => void;
}) {
  const { data, error, isFetching, refetch } = useQuery(libraryQuery);
  const deletion = useDeletion();
  const choice = useLibraryChoice(data && inOrder(data.data.filter((file) => file.kind === KINDS[use])), links);
  const { added } = choice;

  function handleClose() {
    choice.clear();
    onClose();
  }
  function handleAdd() {
    onAdd(added.map(({ link }) => link));
    handleClose();
  }
  function handlePick(file: LibraryFile) {
    onAdd([file.link]);
    handleClose();
  }
  return (
    <>
      <Dialog
        isOpen={isOpen}
        title="Library"
        text={TEXTS[use]}
        onClose={handleClose}
        onSubmit={use === "image" ? undefined : handleAdd}
        footer={
          <>
            <Button look="quiet" onClick={handleClose}>
              Close
            </Button>
            {use !== "image" && (
              <Button type="submit" look="primary" disabled={added.length === 0}>
                {added.length === 0 ? "Add files" : `Add ${pluralize(added.length, "file")}`}
              </Button>
            )}
          </>
        }
      >
        {error && !data ? (
          <ErrorState
            title="Couldn't load the library"
            text={error.message}
            isRetrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <LibraryFiles choice={choice} use={use} onPick={handlePick} onDelete={deletion.ask} />
        )}
      </Dialog>
      <ConfirmDialog
        isOpen={deletion.toDelete !== null}
        title={`Delete ${deletion.toDelete?.name ?? "this file"}?`}
        text="Finished jobs keep their files, but reruns can't use this one anymore."
        confirmLabel="Delete file"
        cancelLabel="Keep file"
        isBusy={deletion.isBusy}
        onConfirm={deletion.confirm}
        onClose={deletion.dismiss}
      />
    </>
  );
}

/** Sorts the newest uploads first, then the samples, portrait first. */
function inOrder(files: readonly LibraryFile[]): LibraryFile[] {
  return [...files.filter(({ isSample }) => !isSample).toReversed(), ...files.filter(({ isSample }) => isSample)];
}

/** Deletes a file after confirmation. */
function useDeletion() {
  const toast = useToast();
  const client = useQueryClient();
  const [toDelete, setToDelete] = useState<LibraryFile | null>(null);
  const { mutate, isPending } = useMutation({
    mutationFn: (file: LibraryFile) => deleteLibraryFile(file.id),
    onSuccess: (response) => client.setQueryData(libraryKey, response),
    onError: (error) => {
      const description = error instanceof CallError ? error.message : "Couldn't delete the file. Try again.";
      toast.show({ title: "File Not Deleted", description, variant: "destructive" });
    },
    onSettled: () => setToDelete(null),
  });
  return {
    toDelete,
    ask: setToDelete,
    dismiss: () => setToDelete(null),
    isBusy: isPending,
    confirm: () => toDelete && mutate(toDelete),
  };
}
