import { Check, X } from "lucide-react";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import type { Part } from "../list/parts.ts";

/** Decides about all files that show one clip of the current file. */
export function PartVerdicts({
  parts,
  onApprove,
  onReject,
}: {
  parts: readonly Part[];
  onApprove: (part: Part) => void;
  onReject: (part: Part) => void;
}) {
  return (
    <section aria-label="Parts" className="border-t border-line px-5 py-4 max-desk:px-4">
      <h2 className="mb-1 text-13">Parts of this file</h2>
      <ul>
        {parts.map((part) => {
          const files = `all ${pluralize(part.outputs.length, "file")} with ${part.name}`;
          return (
            <li key={part.name} className="flex items-center gap-2">
              <span className="min-w-0 flex-1 truncate text-ink">{part.name}</span>
              <span className="tnum text-12 text-ink-3">{pluralize(part.outputs.length, "file")}</span>
              <div className="-mr-2 flex">
                <IconButton icon={X} label={`Reject ${files}`} onClick={() => onReject(part)} />
                <IconButton icon={Check} label={`Approve ${files}`} onClick={() => onApprove(part)} />
              </div>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
