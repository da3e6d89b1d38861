import { useQueryClient } from "@tanstack/react-query";
import { FolderOpen, Upload as UploadGlyph } from "lucide-react";
import { Suspense, useEffect, useRef, useState, type ReactNode } from "react";
import type { MediaUse } from "#contract/library.ts";
import { SourceList } from "../../../sources/source-list.tsx";
import { ACCEPTED_FILES } from "../../../sources/uploads/dropped-files.ts";
import { UploadRow } from "../../../sources/uploads/upload-row.tsx";
import { useUploads } from "../../../sources/uploads/use-uploads.ts";
import { libraryKey } from "../../../sources/use-library.ts";
import { useFormUploads } from "./form-uploads.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { lazyPart } from "../../../ui/page/lazy-part.ts";

const LibraryDialog = lazyPart(() => import("./library-dialog.tsx"));

export function UploadPanel({
  use,
  links,
  tools,
  list,
}: {
  use: MediaUse;
  links: readonly string[];
  tools?: ReactNode;
  /** Replaces the names of linked library files. */
  list?: ReactNode;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [isLibraryOpen, setIsLibraryOpen] = useState(false);
  const [wasLibraryOpened, setWasLibraryOpened] = useState(false);
  const client = useQueryClient();
  const store = useFormUploads();
  const { uploads } = useUploads(store);
  const hasList = list !== undefined;
  const own = uploads.filter((upload) => upload.use === use && !(hasList && upload.state.kind === "done"));
  // New uploads have their own row.
  const uploaded = new Set(own.flatMap(({ state }) => (state.kind === "done" ? [state.file.link] : [])));
  const seenLinks = useRef(new Set<string>());
  useEffect(() => {
    const present = new Set(links);
    for (const link of present) seenLinks.current.add(link);
    // Removing a link from the field also removes its upload's row.
    store.forgetDone((link) => present.has(link) || !seenLinks.current.has(link), use);
  }, [store, links, use]);

  function handleFiles(files: FileList | null) {
    store.add([...(files ?? [])].map((file) => ({ file, use })));
  }
  return (
    <div className="grid gap-2">
      <div className="-ml-2 flex flex-wrap items-center gap-1">
        <Button size="sm" look="quiet" icon={UploadGlyph} onClick={() => input.current?.click()}>
          {use === "music" ? "Upload music" : "Upload videos"}
        </Button>
        <Button
          size="sm"
          look="quiet"
          icon={FolderOpen}
          onClick={() => {
            void client.invalidateQueries({ queryKey: libraryKey });
            setWasLibraryOpened(true);
            setIsLibraryOpen(true);
          }}
        >
          Choose from library
        </Button>
        {tools}
        {use === "video" && (
          <span className="px-2 text-12 text-ink-3 max-desk:hidden">or drop files anywhere on this page</span>
        )}
        <input
          ref={input}
          type="file"
          multiple
          hidden
          accept={ACCEPTED_FILES[use]}
          aria-label={use === "music" ? "Music files" : "Video files"}
          onChange={(event) => {
            handleFiles(event.target.files);
            // Allows choosing the same file again.
            event.target.value = "";
          }}
        />
      </div>
      {own.length > 0 && (
        <ul aria-label="Uploads" className="grid max-h-56 overflow-auto">
          {own.map((upload) => (
            <UploadRow key={upload.id} upload={upload} store={store} />
          ))}
        </ul>
      )}
      {list ?? <SourceList links={links.filter((link) => !uploaded.has(link))} isMusic={use === "music"} />}
      {wasLibraryOpened && (
        <Suspense>
          <LibraryDialog
            isOpen={isLibraryOpen}
            use={use}
            links={links}
            onAdd={(added) => store.deliver(use, added)}
            onClose={() => setIsLibraryOpen(false)}
          />
        </Suspense>
      )}
    </div>
  );
}
