import { Check, Copy, Trash2 } from "lucide-react";
import { useCopy } from "../../ui/buttons/use-copy.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { CaptionRow } from "./caption-row.tsx";
import { captionsOf, oneLine } from "./describe-batch.ts";
import { isEmpty } from "./lab-session.ts";
import { SaveCaptionsButton } from "./save-captions-button.tsx";
import type { CaptionLab } from "./use-caption-lab.ts";

export function LabResults({ lab }: { lab: CaptionLab }) {
  const rows = lab.session.generatedCaptions;
  const captions = captionsOf(rows);
  const { copied, copy } = useCopy();
  return (
    <section aria-labelledby="lab-results" className="border-t border-line">
      <div className="flex min-h-14 flex-wrap items-center gap-2 px-6 py-3 max-desk:px-4">
        <h2 id="lab-results" className="min-w-0 flex-1 text-16 max-desk:-order-2 max-desk:basis-3/5">
          Captions
        </h2>
        <CopyAllButton captions={captions} copied={copied} onCopy={copy} />
        <SaveCaptionsButton captions={captions} />
        <Button
          look="quiet"
          icon={Trash2}
          className="max-desk:-order-1"
          disabled={isEmpty(lab.session)}
          onClick={lab.clear}
        >
          Clear All
        </Button>
      </div>
      {rows.length === 0 ? (
        <EmptyState title="No captions yet" text="Paste video links above, then select Generate." />
      ) : (
        <ol aria-busy={lab.session.generating}>
          {rows.map((row, place) => (
            <CaptionRow
              // oxlint-disable-next-line react/no-array-index-key -- a row is its place: the same link may stand there twice
              key={place}
              place={place}
              row={row}
              isCopied={copied !== null && copied === oneLine(row.caption ?? "")}
              onCopy={copy}
              onEdit={(caption) => lab.setCaption(place, caption)}
            />
          ))}
        </ol>
      )}
    </section>
  );
}

function CopyAllButton({
  captions,
  copied,
  onCopy,
}: {
  captions: string[];
  copied: string | null;
  onCopy: (text: string) => void;
}) {
  const all = captions.join("\n");
  // A single caption's own copy button copies the same text.
  const isCopied = captions.length > 0 && copied === all;
  return (
    <Button icon={isCopied ? Check : Copy} disabled={captions.length === 0} onClick={() => onCopy(all)}>
      {isCopied ? "Copied!" : "Copy All Captions"}
    </Button>
  );
}
