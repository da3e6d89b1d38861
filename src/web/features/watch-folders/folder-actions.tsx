import { Ellipsis, Pause, Pencil, Play, RefreshCw, Trash2 } from "lucide-react";
import { useState } from "react";
import type { WatchFolder } from "#contract/watch-folders/watch-folders.ts";
import { controlWatchFolder, deleteWatchFolder } from "../../api/functions/watch-folders.ts";
import { quoteName } from "../../jobs/row/cut-text.ts";
import { Button } from "../../ui/buttons/button.tsx";
import type { ButtonSize } from "../../ui/buttons/button-classes.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { Menu } from "../../ui/menus/menu.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { useWatchChange } from "./use-watch-folders.ts";

export function FolderActions({
  folder,
  size,
  onEdit,
  onRemoved,
}: {
  folder: WatchFolder;
  size?: ButtonSize;
  onEdit: () => void;
  onRemoved?: () => void;
}) {
  const { id, name } = folder;
  const toast = useToast();
  const { isBusy, change } = useWatchChange();
  const [isAsking, setIsAsking] = useState(false);
  const isPaused = folder.paused_at !== null;

  function toggle() {
    const [action, failure] = isPaused
      ? (["resume", "Couldn't resume the watch folder"] as const)
      : (["pause", "Couldn't pause the watch folder"] as const);
    change(failure, async () => void (await controlWatchFolder(action, id)));
  }
  function checkNow() {
    change("Couldn't check the watch folder", async () => {
      await controlWatchFolder("check-now", id);
      toast.show({ title: "Checking", description: `${quoteName(name)} will be checked within seconds.` });
    });
  }
  function remove() {
    change("Couldn't remove the watch folder", async () => {
      await deleteWatchFolder(id);
      setIsAsking(false);
      toast.show({
        title: "Watch Folder Removed",
        description: `${quoteName(name)} is no longer watched.`,
        variant: "success",
      });
      onRemoved?.();
    });
  }
  return (
    <div className="flex items-center gap-1">
      <Button
        size={size}
        icon={isPaused ? Play : Pause}
        isBusy={isBusy && !isAsking}
        aria-label={`${isPaused ? "Resume" : "Pause"} ${name}`}
        onClick={toggle}
      >
        {isPaused ? "Resume" : "Pause"}
      </Button>
      <Menu
        label={`Actions for ${name}`}
        icon={Ellipsis}
        items={[
          ...(isPaused ? [] : [{ label: "Check now", icon: RefreshCw, onSelect: checkNow }]),
          { label: "Edit", icon: Pencil, onSelect: onEdit },
          { label: "Remove", icon: Trash2, onSelect: () => setIsAsking(true) },
        ]}
      />
      <ConfirmDialog
        isOpen={isAsking}
        title={`Remove ${name}?`}
        text="Its files and jobs stay. The record of used files is deleted: if you add the folder again, its files can become jobs again."
        confirmLabel="Remove watch folder"
        cancelLabel="Keep watch folder"
        isBusy={isBusy}
        onConfirm={remove}
        onClose={() => setIsAsking(false)}
      />
    </div>
  );
}
