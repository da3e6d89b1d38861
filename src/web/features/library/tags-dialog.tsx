import { useState } from "react";
import type { LibraryFile } from "#contract/calls.ts";
import { cleanTags, LIBRARY_LIMITS } from "#contract/library.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { Dialog } from "../../ui/dialogs/dialog.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { useChangeFile } from "./use-change-file.ts";

const MOST_SUGGESTED = 12;

export function TagsDialog({
  file,
  known,
  isOpen,
  onClose,
}: {
  file: LibraryFile;
  known: readonly string[];
  isOpen: boolean;
  onClose: () => void;
}) {
  const [text, setText] = useState(file.tags.join(", "));
  const { mutate, isPending } = useChangeFile(onClose);
  const tags = cleanTags(text.split(","));
  const error = problemOf(tags);
  const chosen = new Set(tags.map((tag) => tag.toLowerCase()));
  const suggested = known.filter((tag) => !chosen.has(tag.toLowerCase())).slice(0, MOST_SUGGESTED);
  return (
    <Dialog
      isOpen={isOpen}
      title="Edit tags"
      text={file.name}
      onClose={onClose}
      onSubmit={() => !error && !isPending && mutate({ id: file.id, changes: { tags } })}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" isBusy={isPending} disabled={error !== undefined}>
            Save tags
          </Button>
        </>
      }
    >
      <TextField
        label="Tags"
        hint="Separate tags with commas."
        error={error}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {suggested.length > 0 && (
        <fieldset aria-label="Tags of other files" className="-mt-2 flex flex-wrap gap-1">
          {suggested.map((tag) => (
            <Button key={tag} size="sm" aria-label={`Add ${tag}`} onClick={() => setText([...tags, tag].join(", "))}>
              {tag}
            </Button>
          ))}
        </fieldset>
      )}
    </Dialog>
  );
}

function problemOf(tags: readonly string[]): string | undefined {
  if (tags.length > LIBRARY_LIMITS.tags) return `A file can have at most ${LIBRARY_LIMITS.tags} tags.`;
  const isLong = tags.some((tag) => tag.length > LIBRARY_LIMITS.tagCharacters);
  return isLong ? `A tag can have at most ${LIBRARY_LIMITS.tagCharacters} characters.` : undefined;
}
