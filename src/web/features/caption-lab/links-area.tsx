import { Check } from "lucide-react";
import type { ChangeEvent } from "react";
import { splitLinks } from "#contract/sources/links.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { splitAtCommas } from "../../sets/editor/splitting/split-at-commas.ts";
import { SourceList } from "../../sources/source-list.tsx";
import { Icon } from "../../ui/page/icon.tsx";
import { TextAreaField } from "../../ui/fields/text-area-field.tsx";
import { WarningNote } from "../../ui/states/warning-note.tsx";
import { describeBadLinks, type ReadLinks } from "./read-links.ts";

/** Accepts one link per line; commas become line breaks. */
export function LinksArea({
  text,
  links,
  onChange,
}: {
  text: string;
  links: ReadLinks;
  onChange: (text: string) => void;
}) {
  const problem = describeBadLinks(links);
  function handleChange({ target }: ChangeEvent<HTMLTextAreaElement>) {
    const split = splitAtCommas({ text: target.value, caret: target.selectionEnd });
    if (split) {
      target.value = split.text;
      target.setSelectionRange(split.caret, split.caret);
    }
    onChange(target.value);
  }
  return (
    <div className="grid gap-2">
      <TextAreaField
        label="Video links"
        rows={4}
        value={text}
        placeholder="https://drive.google.com/file/d/…"
        autoCapitalize="off"
        className="raw"
        onChange={handleChange}
        hint={
          <div className="grid gap-1">
            <div className="flex flex-wrap items-center gap-x-3">
              {links.valid > 0 && (
                <span className="tnum inline-flex items-center gap-[5px] text-ink-2">
                  <Icon icon={Check} size={14} className="shrink-0 text-completed" />
                  {pluralize(links.valid, "valid link")}
                </span>
              )}
              <span>One per line. Share each file as “Anyone with the link”.</span>
            </div>
            {problem && <WarningNote text={problem} />}
          </div>
        }
      />
      <SourceList links={splitLinks(text)} />
    </div>
  );
}
