import type { UseQueryResult } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { ArrowLeft } from "lucide-react";
import {
  WATCH_FILE_STATES,
  type WatchFileState,
  type WatchFolder,
  type WatchFoldersResponse,
} from "#contract/watch-folders/watch-folders.ts";
import { paths } from "../../app/routing/paths.ts";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { Tabs } from "../../ui/page/tabs.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { StatusBadge } from "../../ui/states/status-badge.tsx";
import { formatShortDate } from "../../jobs/time/short-date.ts";
import { KIND_LABELS, lookOfFolder, STATE_LABELS } from "./describe-folder.ts";
import { FilesTable } from "./files-table.tsx";
import { FolderActions } from "./folder-actions.tsx";
import { FolderNotes } from "./folder-notes.tsx";

const ALL = "all";

export function FolderFiles({
  id,
  query,
  onEdit,
  onRemoved,
}: {
  id: string;
  query: UseQueryResult<WatchFoldersResponse>;
  onEdit: (folder: WatchFolder) => void;
  onRemoved: () => void;
}) {
  const folder = query.data?.data.find((one) => one.id === id);
  const [state, setState] = useShownState(id);
  if (query.data && !folder) {
    return (
      <EmptyState
        title="Watch folder not found"
        text="It was removed."
        action={<LinkButton to={paths.watchFolders}>All watch folders</LinkButton>}
      />
    );
  }
  const counts = folder?.files;
  const tabs = [
    { value: ALL, label: "All", count: counts && WATCH_FILE_STATES.reduce((sum, name) => sum + counts[name], 0) },
    ...WATCH_FILE_STATES.map((name) => ({ value: name, label: STATE_LABELS[name], count: counts?.[name] })),
  ] as const;
  return (
    <>
      <PageHead
        before={
          <Link
            to={paths.watchFolders}
            className="mb-1 inline-flex items-center gap-1 rounded-1 text-12 text-ink-3 hover:text-ink"
          >
            <Icon icon={ArrowLeft} size={14} />
            Watch folders
          </Link>
        }
        title={folder?.name ?? "Watch folder"}
        subtitle={folder && describe(folder)}
      >
        {folder && (
          <>
            <span className="px-2">
              <StatusBadge {...lookOfFolder(folder)} />
            </span>
            <FolderActions folder={folder} onEdit={() => onEdit(folder)} onRemoved={onRemoved} />
          </>
        )}
      </PageHead>
      {folder && (folder.pause_reason ?? folder.last_fault) !== null && (
        <div className="px-6 pb-3 max-desk:px-4">
          <FolderNotes folder={folder} />
        </div>
      )}
      <div className="max-desk:overflow-x-auto">
        <Tabs
          label="Files by state"
          tabs={tabs}
          value={state ?? ALL}
          onChange={(tab) => setState(tab === ALL ? null : tab)}
        >
          <FilesTable key={`${id} ${state}`} id={id} state={state} isPaused={folder?.paused_at !== null} />
        </Tabs>
      </div>
    </>
  );
}

function describe({ kind, place, connection_name: connection, last_check_at: checkedAt }: WatchFolder): string {
  const checked = checkedAt === null ? "Not checked yet" : `Checked ${formatShortDate(checkedAt)}`;
  return [KIND_LABELS[kind], connection, place, checked].filter((part) => part !== null).join(" · ");
}

/** Keeps the state filter in the URL. */
function useShownState(folder: string): [WatchFileState | null, (state: WatchFileState | null) => void] {
  const address: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const shown = WATCH_FILE_STATES.find((name) => name === address.state) ?? null;
  const show = (state: WatchFileState | null) =>
    void navigate({ to: paths.watchFolders, search: { folder, ...(state && { state }) }, replace: true });
  return [shown, show];
}
