import { FolderOpen } from "lucide-react";
import { Suspense, useState } from "react";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { Button } from "../ui/buttons/button.tsx";
import { TextField } from "../ui/fields/text-field.tsx";
import { lazyPart } from "../ui/page/lazy-part.ts";
import { ChosenFile } from "./chosen-file.tsx";
import { libraryIdOf } from "./named-sources.ts";

const LibraryDialog = lazyPart(() => import("./library/library-dialog.tsx"));

/** A video: a link, or a file of the library. */
export function ClipInput({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string;
  onChange: (link: string) => void;
}) {
  const [library, setLibrary] = useState<"unused" | "open" | "closed">("unused");
  const link = value.trim();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-ink">{label}</legend>
      {libraryIdOf(link) === null ? (
        <div className="flex items-start gap-2 max-desk:flex-wrap">
          <div className="min-w-0 flex-1 max-desk:basis-full">
            <TextField
              label={`${label} link`}
              isLabelHidden
              placeholder="Link to a video"
              autoComplete="off"
              maxLength={JOB_LIMITS.linkCharacters}
              value={value}
              onChange={({ target }) => onChange(target.value)}
            />
          </div>
          <Button icon={FolderOpen} onClick={() => setLibrary("open")}>
            Choose from library
          </Button>
        </div>
      ) : (
        <ChosenFile label={label} kind="video" link={link} onRemove={() => onChange("")} />
      )}
      {library !== "unused" && (
        <Suspense>
          <LibraryDialog
            isOpen={library === "open"}
            use="video"
            isSingle
            links={[]}
            onAdd={([added]) => added !== undefined && onChange(added)}
            onClose={() => setLibrary("closed")}
          />
        </Suspense>
      )}
    </fieldset>
  );
}
