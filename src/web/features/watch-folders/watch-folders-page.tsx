import { useNavigate, useSearch } from "@tanstack/react-router";
import { Plus } from "lucide-react";
import { useState } from "react";
import type { WatchFolder } from "#contract/watch-folders/watch-folders.ts";
import { paths } from "../../app/routing/paths.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { FolderFiles } from "./folder-files.tsx";
import { FolderList } from "./folder-list.tsx";
import { FolderSheet } from "./folder-sheet.tsx";
import { useWatchFolders } from "./use-watch-folders.ts";

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
