import { useQueryClient } from "@tanstack/react-query";
import { FolderOpen, Plus, type LucideIcon, Upload as UploadGlyph } from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import type { UploadUse } from "#contract/library.ts";
import { ACCEPTED_FILES } from "./dropped-files.ts";
import { UploadRow } from "./upload-row.tsx";
import { useUploads } from "./use-uploads.ts";
import { libraryKey } from "../use-library.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Menu } from "../../ui/menus/menu.tsx";
import { lazyPart } from "../../ui/page/lazy-part.ts";
import { useFormUploads } from "./form-uploads.ts";

const LibraryDialog = lazyPart(() => import("../library/library-dialog.tsx"));

const TEXTS = {
  video: { upload: "Upload videos", menu: "Add videos", files: "Video files" },
  music: { upload: "Upload music", menu: "Add music", files: "Music files" },
  image: { upload: "Upload image", menu: "Add image", files: "Image file" },
  subtitles: { upload: "Upload subtitles", menu: "Add subtitles", files: "Subtitle file" },
} as const satisfies Record<UploadUse, Record<string, string>>;

const LISTS: Record<UploadUse, string> = {
  video: "Uploads",
  music: "Uploads",
  image: "Image uploads",
  subtitles: "Subtitle uploads",
};

/** Another way to add files. */
export type AddAction = { label: string; icon: LucideIcon; onSelect: () => void };

const NO_ACTIONS: readonly AddAction[] = [];

/** Ways to add files: buttons, or one menu beside files that are there already. */
export function AddFiles({
  use,
  links,
  isMenu,
  actions = NO_ACTIONS,
  more,
  onAdd,
  onAdded,
}: {
  use: UploadUse;
  /** Files of these links are in the field already. */
  links: readonly string[];
  isMenu: boolean;
  actions?: readonly (AddAction | null)[];
  /** Rarer ways, in a menu. */
  more?: { label: string; icon: LucideIcon; items: readonly AddAction[] };
  onAdd?: (links: string[]) => void;
  /** Called after files were chosen from the library. */
  onAdded?: () => void;
}) {
  const [input, setInput] = useState<HTMLInputElement | null>(null);
  const [library, setLibrary] = useState<"unused" | "open" | "closed">("unused");
  const client = useQueryClient();
  const store = useFormUploads();
  const { upload, menu, files } = TEXTS[use];
  const all: AddAction[] = [
    { label: upload, icon: UploadGlyph, onSelect: () => input?.click() },
    {
      label: "Choose from library",
      icon: FolderOpen,
      onSelect: () => {
        void client.invalidateQueries({ queryKey: libraryKey });
        setLibrary("open");
      },
    },
    ...actions.filter((action) => action !== null),
  ];
  return (
    <>
      {isMenu ? (
        <Menu label={menu} icon={Plus} items={[...all, ...(more?.items ?? [])]} isLabeled />
      ) : (
        <>
          {all.map(({ label, icon, onSelect }) => (
            <Button key={label} size="sm" look="quiet" icon={icon} onClick={onSelect}>
              {label}
            </Button>
          ))}
          {more && <Menu {...more} isLabeled />}
        </>
      )}
      <input
        ref={setInput}
        type="file"
        multiple={use === "video" || use === "music"}
        hidden
        accept={ACCEPTED_FILES[use]}
        aria-label={files}
        onChange={(event) => {
          store.add([...(event.target.files ?? [])].map((file) => ({ file, use })));
          // Allows choosing the same file again.
          event.target.value = "";
        }}
      />
      {library !== "unused" && (
        <Suspense>
          <LibraryDialog
            isOpen={library === "open"}
            use={use}
            links={links}
            onAdd={(added) => {
              if (onAdd) onAdd(added);
              else store.deliver(use, added);
              onAdded?.();
            }}
            onClose={() => setLibrary("closed")}
          />
        </Suspense>
      )}
    </>
  );
}

/** Finished uploads of `links` stay until their link is removed, unless a list shows them (`isListed`). */
export function UploadRows({
  use,
  links,
  isListed = false,
}: {
  use: UploadUse;
  links: readonly string[];
  isListed?: boolean;
}) {
  const store = useFormUploads();
  const own = useOwnUploads(use).filter(({ state }) => !isListed || state.kind !== "done");
  const seenLinks = useRef(new Set<string>());
  useEffect(() => {
    const present = new Set(links);
    for (const link of present) seenLinks.current.add(link);
    store.forgetDone((link) => present.has(link) || !seenLinks.current.has(link), use);
  }, [store, links, use]);
  if (own.length === 0) return null;
  return (
    <ul aria-label={LISTS[use]} className="grid max-h-56 overflow-auto">
      {own.map((upload) => (
        <UploadRow key={upload.id} upload={upload} store={store} />
      ))}
    </ul>
  );
}

export function useOwnUploads(use: UploadUse) {
  return useUploads(useFormUploads()).uploads.filter((upload) => upload.use === use);
}
