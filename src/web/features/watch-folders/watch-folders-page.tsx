import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import { useForm } from "react-hook-form";
import type { WatchFolder, WatchFoldersResponse } from "#contract/watch-folders/watch-folders.ts";
import { saveWatchFolder } from "../../api/functions/watch-folders.ts";
import { paths } from "../../app/routing/paths.ts";
import { EditorSheet } from "../../editors/editor-sheet.tsx";
import { useOpened, useSaving } from "../../editors/use-saving.ts";
import { quoteName } from "../../jobs/row/cut-text.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { FolderFields } from "./folder-fields.tsx";
import { FolderFiles } from "./folder-files.tsx";
import { type FolderForm, toFolderDraft, toFolderForm } from "./folder-form.ts";
import { FolderList } from "./folder-list.tsx";
import { useWatchChange, useWatchFolders } from "./use-watch-folders.ts";

export function WatchFoldersPage() {
  const address: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const query = useWatchFolders();
  const [opened, setOpened] = useState<WatchFolder | "new" | null>(null);
  const shownId = typeof address.folder === "string" ? address.folder : null;
  const isEmpty = query.data?.data.length === 0;
  const add = (
    <Button look="primary" icon={Plus} onClick={() => setOpened("new")}>
      Add watch folder
    </Button>
  );
  return (
    <Pane>
      {shownId === null ? (
        <>
          <PageHead title="Watch Folders" subtitle="Create jobs from new files in a folder">
            {query.data && !isEmpty && add}
          </PageHead>
          <FolderList query={query} add={add} onEdit={setOpened} />
        </>
      ) : (
        <FolderFiles
          id={shownId}
          query={query}
          onEdit={setOpened}
          onRemoved={() => void navigate({ to: paths.watchFolders })}
        />
      )}
      <FolderSheet opened={opened} list={query.data} onClose={() => setOpened(null)} />
    </Pane>
  );
}

type SheetProps = {
  opened: WatchFolder | "new" | null;
  list: WatchFoldersResponse | undefined;
  onClose: () => void;
};

function FolderSheet({ opened, ...rest }: SheetProps) {
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
