import type { ChangeEvent, ReactNode } from "react";
import type { UseFormRegisterReturn } from "react-hook-form";
import { TextAreaField } from "../../ui/text-area-field.tsx";
import type { CheckedLinks } from "./check-links.ts";
import type { UploadUse } from "#contract/library.ts";
import { LinkReport } from "./link-report.tsx";
import { splitLinksField } from "../../sets/split-at-commas.ts";
import { UploadPanel } from "./upload/upload-panel.tsx";

/** A text area of links, checked while one types. Commas become line ends. Files can be uploaded into it. */
export function LinksField({
  label,
  isLabelHidden,
  rows,
  tip,
  links,
  use,
  tools,
  registration,
}: {
  label: string;
  isLabelHidden?: boolean;
  rows?: number;
  tip: string;
  links: CheckedLinks;
  /** What its files are for. */
  use: UploadUse;
  /** Further buttons below it. */
  tools?: ReactNode;
  /** What `register` gave for the field. */
  registration: UseFormRegisterReturn;
}) {
  async function handleChange(event: ChangeEvent<HTMLTextAreaElement>) {
    const area = event.target;
    const split = splitLinksField({ text: area.value, caret: area.selectionEnd });
    if (split) {
      area.value = split.text;
      area.setSelectionRange(split.caret, split.caret);
    }
    await registration.onChange(event);
  }
  return (
    <div className="grid gap-1">
      <TextAreaField
        {...registration}
        label={label}
        isLabelHidden={isLabelHidden}
        rows={rows}
        placeholder="https://drive.google.com/file/d/…"
        autoCapitalize="off"
        hint={<LinkReport links={links} tip={tip} />}
        onChange={(event) => void handleChange(event)}
      />
      <UploadPanel use={use} links={links.valid} tools={tools} />
    </div>
  );
}
