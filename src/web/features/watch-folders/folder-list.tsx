import type { UseQueryResult } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { WatchFolder, WatchFoldersResponse } from "#contract/watch-folders/watch-folders.ts";
import { paths } from "../../app/routing/paths.ts";
import { MetaLine } from "../../jobs/row/job-row.tsx";
import { quoteName } from "../../jobs/row/cut-text.ts";
import { OfflineState, EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { Skeleton } from "../../ui/states/skeleton.tsx";
import { StatusBadge } from "../../ui/states/status-badge.tsx";
import { describeFiles, KIND_LABELS, lookOfFolder } from "./describe-folder.ts";
import { FolderActions } from "./folder-actions.tsx";
import { FolderNotes } from "./folder-notes.tsx";

export function FolderList({
  query: { data, error, isFetching, isPaused, refetch },
  add,
  onEdit,
}: {
  query: UseQueryResult<WatchFoldersResponse>;
  add: ReactNode;
  onEdit: (folder: WatchFolder) => void;
}) {
  if (!data && error) {
    return (
      <ErrorState
        title="Couldn't load the watch folders"
        text={error.message}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) return isPaused ? <OfflineState /> : <FolderListSkeleton />;
  if (data.data.length === 0) {
    return (
      <EmptyState
        title="No watch folders yet"
        text="Choose a folder on the server, in a bucket, in Google Drive or Dropbox, or on an SFTP server. Its new files become jobs."
        action={add}
      />
    );
  }
  return (
    <ul aria-label="Watch folders" className="grid px-6 pb-4 max-desk:px-4">
      {data.data.map((folder) => (
        <FolderRow key={folder.id} folder={folder} onEdit={() => onEdit(folder)} />
      ))}
    </ul>
  );
}

function FolderRow({ folder, onEdit }: { folder: WatchFolder; onEdit: () => void }) {
  const files = describeFiles(folder);
  return (
    <li className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-1.5 border-t border-line py-3 first:border-t-0">
      <div className="flex items-center gap-3 max-desk:flex-wrap max-desk:gap-y-1">
        <div className="min-w-0 flex-1 max-desk:basis-full">
          <h2 className="text-14 font-medium wrap-anywhere text-ink">
            <Link
              to={paths.watchFolders}
              search={{ folder: folder.id }}
              dir="auto"
              className="rounded-1 underline-offset-2 hover:underline"
            >
              {folder.name}
            </Link>
          </h2>
          <MetaLine
            parts={[
              KIND_LABELS[folder.kind],
              ...(folder.connection_name === null ? [] : [folder.connection_name]),
              <span key="place" className="raw normal-nums">
                {folder.place}
              </span>,
              folder.preset_name === null ? "No preset" : `Preset ${quoteName(folder.preset_name)}`,
            ]}
          />
          <MetaLine parts={files.length > 0 ? files : ["No files yet"]} />
        </div>
        <span className="w-24 max-desk:w-auto max-desk:flex-1">
          <StatusBadge {...lookOfFolder(folder)} />
        </span>
        {/* The states above each other start at the same place, whatever the button says. */}
        <div className="flex justify-end desk:w-32">
          <FolderActions folder={folder} size="sm" onEdit={onEdit} />
        </div>
      </div>
      <FolderNotes folder={folder} />
    </li>
  );
}

function FolderListSkeleton() {
  return (
    <div aria-busy className="grid gap-5 px-6 py-4 max-desk:px-4">
      {[0, 1].map((row) => (
        <div key={row} className="grid gap-2">
          <Skeleton className="h-4 w-40" />
          <Skeleton className="h-3 w-72 max-w-full" />
        </div>
      ))}
    </div>
  );
}
