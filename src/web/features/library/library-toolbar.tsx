import { Upload } from "lucide-react";
import { useRef } from "react";
import type { LibraryKind } from "#contract/calls.ts";
import { ACCEPTED_FILES, uploadUseOf } from "../../sources/uploads/dropped-files.ts";
import { libraryUploads } from "../../sources/uploads/use-uploads.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { SearchField } from "../../ui/fields/search-field.tsx";
import { Select } from "../../ui/menus/select.tsx";
import type { LibrarySort, LibraryView } from "./shown-files.ts";

const KINDS: readonly { value: LibraryKind | "all"; label: string }[] = [
  { value: "all", label: "All files" },
  { value: "video", label: "Videos" },
  { value: "audio", label: "Music" },
  { value: "image", label: "Images" },
  { value: "subtitles", label: "Subtitles" },
];

const SORTS: readonly { value: LibrarySort; label: string }[] = [
  { value: "newest", label: "Newest first" },
  { value: "name", label: "By name" },
  { value: "length", label: "Longest first" },
  { value: "size", label: "Largest first" },
];

export function LibraryToolbar({
  view,
  onChange,
}: {
  view: LibraryView;
  onChange: (changes: Partial<LibraryView>) => void;
}) {
  return (
    <>
      <div className="w-60 max-wide:w-[180px] max-desk:w-full">
        <SearchField
          label="Search the library"
          placeholder="Search by name or tag"
          value={view.search}
          onChange={(search) => onChange({ search })}
        />
      </div>
      <Select
        label="Kind"
        className="w-[104px] max-desk:w-auto max-desk:flex-1"
        options={KINDS}
        value={view.kind ?? "all"}
        onChange={(kind) => onChange({ kind: kind === "all" ? null : kind })}
      />
      <Select
        label="Order"
        className="w-[132px] max-desk:w-auto max-desk:flex-1"
        options={SORTS}
        value={view.sort}
        onChange={(sort) => onChange({ sort })}
      />
      <UploadButton />
    </>
  );
}

export function UploadButton() {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button look="primary" icon={Upload} onClick={() => input.current?.click()}>
        Upload
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={Object.values(ACCEPTED_FILES).join()}
        aria-label="Files for the library"
        onChange={(event) => {
          libraryUploads.add([...(event.target.files ?? [])].map((file) => ({ file, use: uploadUseOf(file, null) })));
          // Allows choosing the same file again.
          event.target.value = "";
        }}
      />
    </>
  );
}
