import { useState } from "react";
import { useForm } from "react-hook-form";
import type { WatchFolder, WatchFoldersResponse } from "#contract/watch-folders/watch-folders.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { saveWatchFolder } from "../../api/functions/watch-folders.ts";
import { quoteName } from "../../jobs/row/quote-name.ts";
import { useLeaveConfirmation } from "../../sets/editor/use-leave-confirmation.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Sheet } from "../../ui/dialogs/sheet.tsx";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { useExclusiveAction } from "../../ui/use-exclusive-action.ts";
import { FolderFields } from "./folder-fields.tsx";
import { type FolderForm, toFolderDraft, toFolderForm } from "./folder-form.ts";
import { useWatchChange } from "./use-watch-folders.ts";

type SheetProps = {
  /** Null closes the sheet. */
  opened: WatchFolder | "new" | null;
  list: WatchFoldersResponse | undefined;
  onClose: () => void;
};

export function FolderSheet({ opened, ...rest }: SheetProps) {
  // Keeps the content during the closing animation; each opening gets a new form.
  const [last, setLast] = useState({ opened, isOpen: false, opening: 0 });
  if (opened && !last.isOpen) setLast({ opened, isOpen: true, opening: last.opening + 1 });
  if (!opened && last.isOpen) setLast({ ...last, isOpen: false });
  if (!last.opened) return null;
  const folder = last.opened === "new" ? null : last.opened;
  return <OpenedSheet key={last.opening} folder={folder} isOpen={opened !== null} {...rest} />;
}

function OpenedSheet({
  folder,
  list,
  isOpen,
  onClose,
}: Omit<SheetProps, "opened"> & { folder: WatchFolder | null; isOpen: boolean }) {
  const form = useForm<FolderForm>({ defaultValues: toFolderForm(folder), mode: "onTouched" });
  const [failure, setFailure] = useState<string | null>(null);
  const { isBusy, run } = useExclusiveAction();
  const { refetch } = useWatchChange();
  const toast = useToast();
  const leave = useLeaveConfirmation(isOpen && form.formState.isDirty, onClose);

  async function save(values: FolderForm) {
    setFailure(null);
    try {
      const saved = await saveWatchFolder(toFolderDraft(values), folder);
      toast.show({
        title: "Watch Folder Saved",
        description: `${quoteName(saved.name)} is checked every ${saved.interval_seconds} seconds.`,
        variant: "success",
      });
      form.reset(values);
      onClose();
    } catch (error) {
      setFailure(error instanceof CallError ? error.message : "Couldn't save the watch folder");
    }
    await refetch();
  }
  return (
    <Sheet
      isOpen={isOpen}
      title={folder ? "Edit watch folder" : "New watch folder"}
      hint="Its new files become jobs"
      onClose={leave.ask}
      onSubmit={(event) => void form.handleSubmit((values) => run(() => save(values)))(event)}
      footer={
        <>
          <Button look="quiet" onClick={leave.ask}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isBusy}>
            {folder ? "Save changes" : "Add watch folder"}
          </Button>
        </>
      }
    >
      <FolderFields form={form} folder={folder} localFolders={list?.local_folders ?? []} />
      {failure !== null && (
        <div role="alert">
          <ErrorBox text={failure} />
        </div>
      )}
      <ConfirmDialog
        isOpen={leave.isAsking}
        title="Discard changes?"
        text="Your changes to this watch folder won't be saved."
        confirmLabel="Discard"
        cancelLabel="Keep editing"
        onConfirm={leave.confirm}
        onClose={leave.stay}
      />
    </Sheet>
  );
}
