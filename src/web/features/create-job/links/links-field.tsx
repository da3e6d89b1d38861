import { useRef, type ChangeEvent, type RefObject } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import type { MediaUse } from "#contract/library.ts";
import { TextAreaField } from "../../../ui/fields/text-area-field.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import type { CheckedLinks } from "./check-links.ts";
import { LinkCount, LinkReport } from "./link-report.tsx";
import { splitAtCommas } from "../../../sets/editor/splitting/split-at-commas.ts";

const FILES: Record<MediaUse, string> = { video: "a video file", music: "an audio file" };

const NO_ROWS: readonly JobRow[] = [];

/** Turns commas into line breaks and adds a missing https://. */
export function LinksField({
  label,
  isLabelHidden,
  rows,
  tip,
  placeholder = "https://drive.google.com/file/d/…",
  field: givenField,
  isCollapsed = false,
  links,
  videoRows = NO_ROWS,
  use,
  folders,
  registration,
  onType,
  onInsert,
  onSelectLine,
  onKeep,
  onPaste,
}: {
  label: string;
  isLabelHidden?: boolean;
  rows?: number;
  tip: string;
  placeholder?: string;
  field?: RefObject<HTMLTextAreaElement | null>;
  /** A list shows the links instead; the report stays. */
  isCollapsed?: boolean;
  links: CheckedLinks;
  /** One per valid link, or empty. */
  videoRows?: readonly JobRow[];
  use: MediaUse;
  /** Lines with folder links, which a list shows. */
  folders?: ReadonlySet<number>;
  registration: UseFormRegisterReturn;
  /** Called when the field gets the focus and after each typed character. */
  onType?: () => void;
  /** Called after several characters were added at once. */
  onInsert?: () => void;
  /** Called before a line is selected. */
  onSelectLine?: () => void;
  /** Keeps the entries with these indexes and shows a toast with Undo. */
  onKeep: (kept: readonly number[], message: { title: string; description: string }) => void;
  /** Called before the pasted text is in the field. */
  onPaste?: (text: string) => void;
}) {
  const ownField = useRef<HTMLTextAreaElement>(null);
  const field = givenField ?? ownField;
  const length = useRef(0);
  async function handleChange(event: ChangeEvent<HTMLTextAreaElement>) {
    const area = event.target;
    const isInserted = isBlock(event.nativeEvent as InputEvent) || area.value.length - length.current > 1;
    const tidy = splitAtCommas({ text: area.value, caret: area.selectionEnd });
    if (tidy) {
      area.value = tidy.text;
      area.setSelectionRange(tidy.caret, tidy.caret);
    }
    length.current = area.value.length;
    await registration.onChange(event);
    if (isInserted) onInsert?.();
    else onType?.();
  }
  function handleRewrite(isKept: (index: number) => boolean, title: string) {
    const kept = [...links.entries.keys()].filter(isKept);
    const removed = links.entries.length - kept.length;
    onKeep(kept, { title, description: `${pluralize(removed, "line")} removed.` });
    // The clicked button disappears with its lines.
    field.current?.focus();
  }
  return (
    <div className="grid min-w-0 grid-cols-1 gap-1">
      <div hidden={isCollapsed} className="min-w-0">
        <TextAreaField
          {...registration}
          ref={(area) => {
            field.current = area;
            registration.ref(area);
          }}
          label={label}
          isLabelHidden={isLabelHidden}
          rows={rows}
          placeholder={placeholder}
          autoCapitalize="off"
          hint={<LinkCount links={links} tip={tip} />}
          onFocus={({ target }) => {
            length.current = target.value.length;
            onType?.();
          }}
          onChange={(event) => void handleChange(event)}
          onPaste={({ clipboardData }) => onPaste?.(clipboardData.getData("text/plain"))}
        />
      </div>
      <LinkReport
        links={links}
        rows={videoRows}
        folders={folders}
        file={FILES[use]}
        onSelectLine={(line) => {
          onSelectLine?.();
          const select = () => field.current && selectLine(field.current, line);
          // A collapsed field shows with the next render.
          if (isCollapsed) setTimeout(select);
          else select();
        }}
        onRewrite={handleRewrite}
      />
    </div>
  );
}

/** True for several characters that were neither typed nor composed. */
function isBlock({ inputType, data }: InputEvent): boolean {
  return inputType === "insertFromPaste" || (inputType === "insertText" && (data?.length ?? 2) > 1);
}

/** Line from 1; the text area must not wrap. */
function selectLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split("\n");
  const start = lines.slice(0, line - 1).reduce((sum, { length }) => sum + length + 1, 0);
  area.focus({ preventScroll: true });
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  const lineHeight = Number.parseFloat(getComputedStyle(area).lineHeight);
  area.scrollTop = (line - 1) * lineHeight - (area.clientHeight - lineHeight) / 2;
  area.scrollLeft = 0;
  area.scrollIntoView({ block: "nearest" });
}
