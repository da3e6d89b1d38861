import { useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { LibraryFile, LibraryKind, LibraryResponse } from "#contract/calls.ts";
import { UPLOAD_USES } from "#contract/library.ts";
import { paths } from "../../app/routing/paths.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { DropTarget } from "../../sources/uploads/drop-target.tsx";
import { UploadRow } from "../../sources/uploads/upload-row.tsx";
import {
  libraryUploads,
  useDuplicateToasts,
  useInterruptedUploads,
  useLeaveWarning,
  useUploads,
} from "../../sources/uploads/use-uploads.ts";
import { libraryKey, libraryQuery } from "../../sources/use-library.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Pane } from "../../ui/dialogs/pane.tsx";
import { PageHead } from "../../ui/page/page-head.tsx";
import { EmptyState, OfflineState } from "../../ui/states/empty-state.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { formatFileSize } from "../../ui/text/length-and-size.ts";
import { LibraryList, LibrarySkeleton } from "./library-list.tsx";
import { LibraryToolbar, UploadButton } from "./library-toolbar.tsx";
import { allTags, type LibraryView, shownFiles, SORTS } from "./shown-files.ts";

export function LibraryPage() {
  const query = useQuery({ ...libraryQuery, refetchOnWindowFocus: "always" });
  const [view, changeView] = useLibraryView();
  const files = query.data?.data;
  return (
    <Pane>
      <PageHead
        title="Library"
        subtitle={
          <>
            {describeFiles(files)} ·{" "}
            <Link to={paths.transcripts} className="rounded-1 underline underline-offset-2 hover:text-ink">
              Transcripts
            </Link>
          </>
        }
      >
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

const DROP = "Drop to upload to the library";
const DROP_LABELS = { video: DROP, music: DROP, image: DROP, subtitles: DROP };

/** Lists unfinished and failed uploads; finished ones are in the file list. Accepts drops anywhere. */
function LibraryUploads() {
  const client = useQueryClient();
  const { uploads, arrived } = useUploads(libraryUploads);
  useInterruptedUploads(libraryUploads, "library");
  useLeaveWarning(libraryUploads);
  useDuplicateToasts(libraryUploads);
  useEffect(() => {
    const links = Object.values(arrived).flat();
    if (links.length === 0) return;
    libraryUploads.takeArrived();
    void client
      .invalidateQueries({ queryKey: libraryKey })
      // until then, the row shows that the file was added
      .finally(() => UPLOAD_USES.forEach((use) => libraryUploads.forgetDone((link) => !links.includes(link), use)));
  }, [arrived, client]);
  return (
    <>
      <DropTarget store={libraryUploads} labels={DROP_LABELS} />
      {uploads.length > 0 && (
        <ul aria-label="Uploads" className="mx-6 mb-4 grid max-h-56 overflow-auto max-desk:mx-4">
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} store={libraryUploads} />
          ))}
        </ul>
      )}
    </>
  );
}

/** Keeps keystrokes out of the URL. */
const ADDRESS_DELAY_MS = 500;

const KINDS: readonly LibraryKind[] = ["video", "audio", "image", "subtitles"];

/** Keeps search, kind and order in the URL. The search applies immediately. */
function useLibraryView(): [LibraryView, (changes: Partial<LibraryView>) => void] {
  const address: Record<string, unknown> = useSearch({ strict: false });
  const navigate = useNavigate();
  const addressSearch = readText(address.search);
  const [search, setSearch] = useState(addressSearch);
  const written = useRef(addressSearch);
  const kind = KINDS.find((name) => name === address.kind) ?? null;
  const sort = SORTS.find((name) => name === address.sort) ?? "newest";

  useEffect(() => {
    const trimmed = search.trim();
    if (trimmed === written.current) return undefined;
    const timer = setTimeout(() => {
      written.current = trimmed;
      void navigate({ to: paths.library, search: toAddress({ search: trimmed, kind, sort }), replace: true });
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [search, kind, sort, navigate]);

  useEffect(() => {
    // Skips the hook's own writes; Back or a link updates the search box.
    if (addressSearch === written.current) return;
    written.current = addressSearch;
    setSearch(addressSearch);
  }, [addressSearch]);

  const view = useMemo(() => ({ search, kind, sort }), [search, kind, sort]);
  function changeView(changes: Partial<LibraryView>) {
    const next = { ...view, ...changes };
    setSearch(next.search);
    if (next.kind === kind && next.sort === sort) return;
    written.current = next.search.trim();
    void navigate({ to: paths.library, search: toAddress({ ...next, search: next.search.trim() }) });
  }
  return [view, changeView];
}

function toAddress({ search, kind, sort }: LibraryView): Record<string, string> {
  return { ...(search !== "" && { search }), ...(kind && { kind }), ...(sort !== "newest" && { sort }) };
}

/** Accepts numbers: the router parses 2026 as one. */
function readText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value).trim() : "";
}
