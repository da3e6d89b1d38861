import { useQueryClient } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { CallError } from "../api/functions/call-error.ts";
import { uploadFile } from "../api/functions/library.ts";
import { libraryIdOf } from "./named-sources.ts";
import { SourcePicture } from "./source-picture.tsx";
import { ACCEPTED_FILES } from "./uploads/dropped-files.ts";
import { libraryKey, useLibrary } from "./use-library.ts";
import { Button } from "../ui/buttons/button.tsx";
import { Select } from "../ui/menus/select.tsx";
import { ErrorBox } from "../ui/states/error-box.tsx";
import type { ExclusiveAction } from "../ui/use-exclusive-action.ts";

const NONE = "none";

type Choice = { value: string; label: string };

const NO_CHOICES: readonly Choice[] = [];

/** A library image, chosen or uploaded. */
export function ImageField({
  label,
  noneLabel,
  link,
  more = NO_CHOICES,
  upload: { isBusy, run },
  onChange,
}: {
  label: string;
  noneLabel: string;
  link: string | null;
  /** Further choices. */
  more?: readonly Choice[];
  upload: ExclusiveAction;
  onChange: (link: string | null) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const client = useQueryClient();
  const [problem, setProblem] = useState<string | null>(null);
  const images = useLibrary()?.filter(({ kind }) => kind === "image");
  const chosen = link === null ? null : (images?.find(({ id }) => id === libraryIdOf(link)) ?? null);
  const isOther = more.some(({ value }) => value === link);

  // The form may change while the image is uploaded.
  const latest = useRef(onChange);
  useEffect(() => {
    latest.current = onChange;
  });

  async function upload(file: File) {
    setProblem(null);
    try {
      const options = { onProgress: () => {}, signal: new AbortController().signal };
      const { data } = await uploadFile(file, "image", options);
      await client.invalidateQueries({ queryKey: libraryKey });
      latest.current(data.link);
    } catch (error) {
      setProblem(error instanceof CallError ? error.message : "Couldn't upload the image");
    }
  }
  return (
    <div className="grid gap-1.5">
      <span className="font-medium text-ink" aria-hidden>
        {label}
      </span>
      <div className="flex items-center gap-3">
        <SourcePicture file={chosen ?? { kind: "image", thumbnailUrl: null }} />
        <Select
          label={label}
          options={[
            { value: NONE, label: noneLabel },
            ...more,
            ...(images ?? []).map((image) => ({ value: image.link, label: image.name })),
          ]}
          value={isOther ? link! : (chosen?.link ?? NONE)}
          className="min-w-0 flex-1"
          onLost={() => onChange(null)}
          onChange={(value) => onChange(value === NONE ? null : value)}
        />
        <Button look="quiet" icon={Upload} isBusy={isBusy} onClick={() => input.current?.click()}>
          Upload
        </Button>
      </div>
      {link !== null && images && !chosen && !isOther && <ErrorBox text="This image is no longer in the library." />}
      {problem !== null && (
        <div role="alert">
          <ErrorBox text={problem} />
        </div>
      )}
      <span className="text-12 text-ink-3">PNG or WebP, at most 10 MB</span>
      <input
        ref={input}
        type="file"
        hidden
        accept={ACCEPTED_FILES.image}
        aria-label={`${label} file`}
        onChange={(event) => {
          const file = event.target.files?.[0];
          if (file) void run(() => upload(file));
          // Allows choosing the same file again.
          event.target.value = "";
        }}
      />
    </div>
  );
}
