import { useRef, type ChangeEvent, type ReactNode } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import type { JobRow } from "#contract/job-settings/job-settings.ts";
import type { MediaUse } from "#contract/library.ts";
import { TextAreaField } from "../../../ui/fields/text-area-field.tsx";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import type { CheckedLinks } from "./check-links.ts";
import { LinkReport } from "./link-report.tsx";
import { splitAtCommas } from "../../../sets/editor/splitting/split-at-commas.ts";
import { UploadPanel } from "../upload/upload-panel.tsx";

const FILES: Record<MediaUse, string> = { video: "a video file", music: "an audio file" };

const NO_ROWS: readonly JobRow[] = [];

/** Turns commas into line breaks, adds a missing https:// and accepts uploads. */
export function LinksField({
  label,
  isLabelHidden,
  rows,
  tip,
  links,
  videoRows = NO_ROWS,
  use,
  tools,
  offer,
  list,
  folders,
  registration,
  onKeep,
  onPaste,
}: {
  label: string;
  isLabelHidden?: boolean;
  rows?: number;
  tip: string;
  links: CheckedLinks;
  /** One per valid link, or empty. */
  videoRows?: readonly JobRow[];
  use: MediaUse;
  tools?: ReactNode;
  /** Offered action for the pasted text. */
  offer?: ReactNode;
  /** Replaces the list of library file names. */
  list?: ReactNode;
  /** Lines with folder links, which `list` shows. */
  folders?: ReadonlySet<number>;
  registration: UseFormRegisterReturn;
  /** Keeps the entries with these indexes and shows a toast with Undo. */
  onKeep: (kept: readonly number[], message: { title: string; description: string }) => void;
  /** Called before the pasted text is in the field. */
  onPaste?: (text: string) => void;
}) {
  const field = useRef<HTMLTextAreaElement>(null);
  async function handleChange(event: ChangeEvent<HTMLTextAreaElement>) {
    const area = event.target;
    const tidy = splitAtCommas({ text: area.value, caret: area.selectionEnd });
    if (tidy) {
      area.value = tidy.text;
      area.setSelectionRange(tidy.caret, tidy.caret);
    }
    await registration.onChange(event);
  }
  function handleRewrite(isKept: (index: number) => boolean, title: string) {
    const kept = [...links.entries.keys()].filter(isKept);
    const removed = links.entries.length - kept.length;
    onKeep(kept, { title, description: `${pluralize(removed, "line")} removed.` });
    // The clicked button disappears with its lines.
    field.current?.focus();
  }
  return (
    <div className="grid gap-1">
      <TextAreaField
        {...registration}
        ref={(area) => {
          field.current = area;
          registration.ref(area);
        }}
        label={label}
        isLabelHidden={isLabelHidden}
        rows={rows}
        placeholder="https://drive.google.com/file/d/…"
        autoCapitalize="off"
        hint={
          <LinkReport
            links={links}
            rows={videoRows}
            folders={folders}
            tip={tip}
            file={FILES[use]}
            onSelectLine={(line) => field.current && selectLine(field.current, line)}
            onRewrite={handleRewrite}
          />
        }
        onChange={(event) => void handleChange(event)}
        onPaste={({ clipboardData }) => onPaste?.(clipboardData.getData("text/plain"))}
      />
      {offer}
      <UploadPanel use={use} links={links.valid} tools={tools} list={list} />
    </div>
  );
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
