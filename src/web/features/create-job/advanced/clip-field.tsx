import { FolderOpen } from "lucide-react";
import { Suspense, useState } from "react";
import { useController, type UseFormReturn } from "react-hook-form";
import { settingOf } from "#contract/job-settings/setting-values.ts";
import { JOB_LIMITS } from "#contract/jobs/job-limits.ts";
import { libraryIdOf } from "../../../sources/named-sources.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";
import { lazyPart } from "../../../ui/page/lazy-part.ts";
import type { JobForm } from "../draft/job-form.ts";
import { fieldOf } from "../setting-fields.ts";
import { ChosenFile } from "../upload/chosen-file.tsx";

const LibraryDialog = lazyPart(() => import("../../../sources/library/library-dialog.tsx"));

/** A video that all files start or end with: a link, or a file of the library. */
export function ClipField({ form, name }: { form: UseFormReturn<JobForm>; name: "intro_link" | "outro_link" }) {
  const { label } = settingOf(name);
  const [library, setLibrary] = useState<"unused" | "open" | "closed">("unused");
  const { field } = useController({ control: form.control, name: fieldOf(name) });
  const link = field.value.trim();
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1.5 font-medium text-ink">{label}</legend>
      {libraryIdOf(link) === null ? (
        <div className="flex items-start gap-2 max-desk:flex-wrap">
          <div className="min-w-0 flex-1 max-desk:basis-full">
            <TextField
              {...field}
              label={`${label} link`}
              isLabelHidden
              placeholder="Link to a video"
              autoComplete="off"
              maxLength={JOB_LIMITS.linkCharacters}
            />
          </div>
          <Button icon={FolderOpen} onClick={() => setLibrary("open")}>
            Choose from library
          </Button>
        </div>
      ) : (
        <ChosenFile label={label} kind="video" link={link} onRemove={() => field.onChange("")} />
      )}
      {library !== "unused" && (
        <Suspense>
          <LibraryDialog
            isOpen={library === "open"}
            use="video"
            isSingle
            links={[]}
            onAdd={([added]) => added !== undefined && field.onChange(added)}
            onClose={() => setLibrary("closed")}
          />
        </Suspense>
      )}
    </fieldset>
  );
}
