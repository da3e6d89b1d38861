import { CircleAlert, FolderOpen, Upload as UploadGlyph, X } from "lucide-react";
import { useQueryClient } from "@tanstack/react-query";
import { Suspense, useRef, useState } from "react";
import { libraryIdOf, nameSource } from "../../../sources/name-source.ts";
import { SourcePicture } from "../../../sources/source-picture.tsx";
import { ACCEPTED_FILES } from "../../../sources/uploads/dropped-files.ts";
import { UploadRow } from "../../../sources/uploads/upload-row.tsx";
import { useUploads } from "../../../sources/uploads/use-uploads.ts";
import { libraryKey, useLibrary } from "../../../sources/use-library.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { Icon } from "../../../ui/page/icon.tsx";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import { tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { formatFileSize } from "../../../ui/text/length-and-size.ts";

import { useFormUploads } from "../upload/form-uploads.ts";

const LibraryDialog = lazyPart(() => import("../upload/library-dialog.tsx"));

/** `onChange` gets "" when the image is removed. */
export function ImageField({ link, onChange }: { link: string | null; onChange: (link: string) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [dialog, setDialog] = useState<"unused" | "open" | "closed">("unused");
  const client = useQueryClient();
  const store = useFormUploads();
  const uploads = useUploads(store).uploads.filter(({ use, state }) => use === "image" && state.kind !== "done");

  return (
    <div className="grid gap-2">
      {link !== null && <ChosenImage link={link} onRemove={() => onChange("")} />}
      {uploads.length > 0 && (
        <ul aria-label="Image uploads" className="grid">
          {uploads.map((upload) => (
            <UploadRow key={upload.id} upload={upload} store={store} />
          ))}
        </ul>
      )}
      <div className="-ml-2 flex flex-wrap items-center gap-1">
        <Button size="sm" look="quiet" icon={UploadGlyph} onClick={() => input.current?.click()}>
          {link === null ? "Upload image" : "Upload another"}
        </Button>
        <Button
          size="sm"
          look="quiet"
          icon={FolderOpen}
          onClick={() => {
            void client.invalidateQueries({ queryKey: libraryKey });
            setDialog("open");
          }}
        >
          Choose from library
        </Button>
        {link === null && <span className="px-2 text-12 text-ink-3">PNG or WebP, at most 10 MB</span>}
        <input
          ref={input}
          type="file"
          hidden
          accept={ACCEPTED_FILES.image}
          aria-label="Image file"
          onChange={(event) => {
            store.add([...(event.target.files ?? [])].map((file) => ({ file, use: "image" })));
            // Allows choosing the same file again.
            event.target.value = "";
          }}
        />
      </div>
      {dialog !== "unused" && (
        <Suspense>
          <LibraryDialog
            isOpen={dialog === "open"}
            use="image"
            links={link === null ? [] : [link]}
            onAdd={([added]) => added !== undefined && onChange(added)}
            onClose={() => setDialog("closed")}
          />
        </Suspense>
      )}
    </div>
  );
}

function ChosenImage({ link, onRemove }: { link: string; onRemove: () => void }) {
  const library = useLibrary([link]);
  const file = library?.find(({ id }) => id === libraryIdOf(link));
  const name = nameSource(link, library);
  const isGone = library !== undefined && !file;
  return (
    <ul aria-label="Watermark image">
      <li className="flex min-h-12 items-center gap-3">
        <SourcePicture file={file ?? { kind: "image", thumbnailUrl: null }} />
        <span className="min-w-0 flex-1">
          <span className="block truncate text-ink" {...tooltipWhenCut(name)}>
            {name}
          </span>
          {file && <span className="tnum block text-12 text-ink-3">{formatFileSize(file.sizeBytes)}</span>}
          {isGone && (
            <span role="alert" className="flex items-start gap-[5px] text-12 text-failed">
              <Icon icon={CircleAlert} size={14} className="mt-px shrink-0" />
              This image was deleted. Choose another one or remove it.
            </span>
          )}
        </span>
        <IconButton icon={X} label={`Remove ${name}`} onClick={onRemove} />
      </li>
    </ul>
  );
}
