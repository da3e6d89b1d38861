import { useRef, useState, type FormEvent } from "react";
import type { LibraryFile } from "#contract/calls.ts";
import { LIBRARY_LIMITS } from "#contract/library.ts";
import { controlClasses, edgeClasses } from "../../ui/fields/field.tsx";
import { classNames } from "../../ui/class-names.ts";
import { useChangeFile } from "./use-change-file.ts";

const EXTENSION = /\.[A-Za-z0-9]{1,8}$/;
const NO_NAME = "Enter a name for the file.";

/** Enter and blur save; Escape cancels. */
export function RenameField({ file, onClose }: { file: LibraryFile; onClose: () => void }) {
  const [name, setName] = useState(file.name);
  const isClosed = useRef(false);
  const { mutate, isPending } = useChangeFile(close);
  const error = name.trim() === "" ? NO_NAME : undefined;

  function close() {
    if (isClosed.current) return;
    isClosed.current = true;
    onClose();
  }
  function save() {
    if (isClosed.current || isPending) return;
    if (name.trim() === file.name) close();
    else if (!error) mutate({ id: file.id, changes: { name } });
  }
  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    save();
  }
  return (
    <form noValidate onSubmit={handleSubmit}>
      <input
        ref={selectStem}
        type="text"
        aria-label={`Name of ${file.name}`}
        aria-invalid={error ? true : undefined}
        aria-errormessage={error && `rename-error-${file.id}`}
        maxLength={LIBRARY_LIMITS.nameCharacters}
        value={name}
        readOnly={isPending}
        className={classNames(controlClasses, edgeClasses(error), "h-8 w-full max-desk:h-11 max-desk:text-[16px]")}
        onChange={(event) => setName(event.target.value)}
        onBlur={() => (error ? close() : save())}
        onKeyDown={(event) => {
          if (event.key === "Escape") close();
        }}
      />
      {error && (
        <p id={`rename-error-${file.id}`} className="mt-1 text-12 text-failed">
          {error}
        </p>
      )}
    </form>
  );
}

function selectStem(input: HTMLInputElement | null) {
  if (!input) return;
  input.focus();
  input.setSelectionRange(0, input.value.replace(EXTENSION, "").length);
}
