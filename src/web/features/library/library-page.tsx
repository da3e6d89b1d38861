import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useDeferredValue, useMemo } from "react";
import type { LibraryFile, LibraryResponse } from "#contract/calls.ts";
import { OfflineState, EmptyState } from "../../ui/states/empty-state.tsx";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { libraryQuery } from "../../sources/use-library.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { formatFileSize } from "../../ui/text/length-and-size.ts";
import { LibraryList, LibrarySkeleton } from "./library-list.tsx";
import { LibraryToolbar, UploadButton } from "./library-toolbar.tsx";
import { LibraryUploads } from "./library-uploads.tsx";
import { allTags, shownFiles, type LibraryView } from "./shown-files.ts";
import { useLibraryView } from "./use-library-view.ts";

export function LibraryPage() {
  const query = useQuery({ ...libraryQuery, refetchOnWindowFocus: "always" });
  const [view, changeView] = useLibraryView();
  const files = query.data?.data;
  return (
    <Pane>
      <PageHead title="Library" subtitle={describeFiles(files)}>
        {files?.length !== 0 && <LibraryToolbar view={view} onChange={changeView} />}
      </PageHead>
      <LibraryUploads />
      <LibraryContent query={query} view={view} onClear={() => changeView({ search: "", kind: null })} />
    </Pane>
  );
}

function LibraryContent({
  query: { data, error, isFetching, isPaused, refetch },
  view,
  onClear,
}: {
  query: UseQueryResult<LibraryResponse>;
  view: LibraryView;
  onClear: () => void;
}) {
  const shownView = useDeferredValue(view);
  const shown = useMemo(() => shownFiles(data?.data ?? [], shownView), [data, shownView]);
  const tags = useMemo(() => allTags(data?.data ?? []), [data]);
  if (!data && error) {
    return (
      <ErrorState
        title="Couldn't load the library"
        text={error.message}
        isRetrying={isFetching}
        onRetry={() => void refetch()}
      />
    );
  }
  if (!data) return isPaused ? <OfflineState /> : <LibrarySkeleton />;
  if (data.data.length === 0) {
    return (
      <EmptyState
        title="No files yet"
        text="Upload videos, music and images to use them in any job, or drop them anywhere on this page."
        action={<UploadButton />}
      />
    );
  }
  if (shown.length === 0) {
    return (
      <EmptyState
        title="No files found"
        text="No file in the library matches these filters."
        action={<Button onClick={onClear}>Clear filters</Button>}
      />
    );
  }
  return <LibraryList files={shown} tags={tags} />;
}

function describeFiles(files: readonly LibraryFile[] | undefined): string {
  if (!files || files.length === 0) return "Files to use in any job";
  const bytes = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  return `${pluralize(files.length, "file")} · ${formatFileSize(bytes)}`;
}
