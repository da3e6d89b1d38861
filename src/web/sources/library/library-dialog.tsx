import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import type { LibraryFile } from "#contract/calls.ts";
import type { UploadUse } from "#contract/library.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { DeleteFiles } from "./delete-files.tsx";
import { libraryQuery } from "../use-library.ts";
import { paths } from "../../app/routing/paths.ts";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { ErrorState } from "../../ui/states/error-state.tsx";
import { LibraryFiles } from "./library-files.tsx";
import { useLibraryChoice } from "./use-library-choice.ts";

const KINDS = { video: "video", music: "audio", image: "image", subtitles: "subtitles" } as const;

const NOTHING: readonly LibraryFile[] = [];

const TEXTS = {
  video: "Uploaded videos and the sample clips.",
  music: "Uploaded music and the sample track.",
  image: "Uploaded images.",
  subtitles: "Uploaded subtitle files.",
} as const satisfies Record<UploadUse, string>;

/** With `isSingle`, picking a file replaces the field's. */
export default function LibraryDialog({
  isOpen,
  use,
  isSingle = use === "image" || use === "subtitles",
  links,
  onAdd,
  onClose,
}: {
  isOpen: boolean;
  use: UploadUse;
  isSingle?: boolean;
  links: readonly string[];
  onAdd: (links: string[]) => void;
  onClose: () => void;
}) {
  const { data, error, isFetching, refetch } = useQuery(libraryQuery);
  const [toDelete, setToDelete] = useState(NOTHING);
  const files = useMemo(() => data && inOrder(data.data.filter((file) => file.kind === KINDS[use])), [data, use]);
  const choice = useLibraryChoice(files, links);
  const { added } = choice;

  function handleClose() {
    choice.clear();
    onClose();
  }
  function handleAdd() {
    onAdd(added.map(({ link }) => link));
    handleClose();
  }
  const handleDelete = useCallback((file: LibraryFile) => setToDelete([file]), []);
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
        onSubmit={isSingle ? undefined : handleAdd}
        footer={
          <>
            <span className="mr-auto -ml-3">
              <LinkButton look="quiet" to={paths.library}>
                Manage library
              </LinkButton>
            </span>
            <Button look="quiet" onClick={handleClose}>
              Close
            </Button>
            {!isSingle && (
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
          <LibraryFiles choice={choice} use={use} isSingle={isSingle} onPick={handlePick} onDelete={handleDelete} />
        )}
      </Dialog>
      <DeleteFiles files={toDelete} onClose={() => setToDelete(NOTHING)} />
    </>
  );
}

/** Newest uploads first, then samples, portrait first. */
function inOrder(files: readonly LibraryFile[]): LibraryFile[] {
  return [...files.filter(({ isSample }) => !isSample).toReversed(), ...files.filter(({ isSample }) => isSample)];
}
