import { useForm } from "react-hook-form";
import type { WatchFolder, WatchFoldersResponse } from "#contract/watch-folders/watch-folders.ts";
import { saveWatchFolder } from "../../api/functions/watch-folders.ts";
import { EditorSheet } from "../../editors/editor-sheet.tsx";
import { useOpened } from "../../editors/use-opened.ts";
import { useSaving } from "../../editors/use-saving.ts";
import { quoteName } from "../../jobs/row/cut-text.ts";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { FolderFields } from "./folder-fields.tsx";
import { type FolderForm, toFolderDraft, toFolderForm } from "./folder-form.ts";
import { useWatchChange } from "./use-watch-folders.ts";

type SheetProps = {
  opened: WatchFolder | "new" | null;
  list: WatchFoldersResponse | undefined;
  onClose: () => void;
};

export function FolderSheet({ opened, ...rest }: SheetProps) {
  const shown = useOpened(opened);
  return shown && <OpenedSheet key={shown.opening} folder={shown.item} isOpen={shown.isOpen} {...rest} />;
}

function OpenedSheet({
  folder,
  list,
  isOpen,
  onClose,
}: Omit<SheetProps, "opened"> & { folder: WatchFolder | null; isOpen: boolean }) {
  const form = useForm<FolderForm>({ defaultValues: toFolderForm(folder), mode: "onTouched" });
  const { isBusy, failure, save } = useSaving("watch folder");
  const { refetch } = useWatchChange();
  const toast = useToast();

  async function submit(values: FolderForm) {
    try {
      const saved = await saveWatchFolder(toFolderDraft(values), folder);
      toast.show({
        title: "Watch Folder Saved",
        description: `${quoteName(saved.name)} is checked every ${saved.interval_seconds} seconds.`,
        variant: "success",
      });
    } finally {
      void refetch();
    }
    form.reset(values);
    onClose();
  }
  return (
    <EditorSheet
      noun="watch folder"
      title={folder ? "Edit watch folder" : "New watch folder"}
      hint="Its new files become jobs"
      saveLabel={folder ? "Save changes" : "Add watch folder"}
      isDirty={form.formState.isDirty}
      onSubmit={(event) => void form.handleSubmit((values) => save(() => submit(values)))(event)}
      {...{ isOpen, isBusy, failure, onClose }}
    >
      <FolderFields form={form} folder={folder} localFolders={list?.local_folders ?? []} />
    </EditorSheet>
  );
}
