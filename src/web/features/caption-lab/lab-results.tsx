import { useNavigate } from "@tanstack/react-router";
import { BookmarkPlus, Check, Copy, Trash2 } from "lucide-react";
import { useState } from "react";
import type { VideoCaption } from "#contract/captions.ts";
import { addCaptionSet } from "../../api/functions/set-functions.ts";
import type { SavedSet } from "../../api/set-tables.ts";
import { paths } from "../../app/routing/paths.ts";
import { pluralize } from "../../jobs/row/pluralize.ts";
import { SaveSetDialog } from "../../sets/editor/save-set-dialog.tsx";
import { libraryIdOf } from "../../sources/named-sources.ts";
import { SourcePicture } from "../../sources/source-picture.tsx";
import { useSource } from "../../sources/use-library.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { useCopy } from "../../ui/buttons/use-copy.ts";
import { TextAreaField } from "../../ui/fields/text-area-field.tsx";
import { tooltipWhenCut } from "../../ui/page/tooltip.ts";
import { EmptyState } from "../../ui/states/empty-state.tsx";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { useToast } from "../../ui/toasts/use-toast.ts";
import { captionsOf, describeRow, hasEnded, oneLine } from "./describe-batch.ts";
import { isEmpty } from "./lab-session.ts";
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
        <EmptyState title="No captions yet" text="Add video links or files above, then select Generate." />
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

function SaveCaptionsButton({ captions }: { captions: string[] }) {
  const toast = useToast();
  const navigate = useNavigate();
  const [isOpen, setIsOpen] = useState(false);
  // Stays mounted to fade out.
  const [wasOpened, setWasOpened] = useState(false);
  const count = pluralize(captions.length, "caption");

  function handleOpen() {
    setIsOpen(true);
    setWasOpened(true);
  }
  function handleSaved({ id, name }: SavedSet) {
    toast.show({
      title: "Caption Set Saved",
      description: `"${name}": ${count}`,
      variant: "success",
      action: {
        label: "Use in a new job",
        onClick: () => void navigate({ to: paths.createJob, search: { captionSet: id } as never }),
      },
    });
  }
  return (
    <>
      <Button look="quiet" icon={BookmarkPlus} disabled={captions.length === 0} onClick={handleOpen}>
        Save as set
      </Button>
      {wasOpened && (
        <SaveSetDialog
          isOpen={isOpen}
          title="Save captions as a set"
          text={count}
          failedToSave="Failed to save caption set"
          problemOf={(name) => (name.trim() === "" ? "Please provide both a set name and captions" : null)}
          save={(name) => addCaptionSet({ name, items: captions })}
          onSaved={handleSaved}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  );
}

function CaptionRow({
  place,
  row,
  isCopied,
  onCopy,
  onEdit,
}: {
  place: number;
  row: VideoCaption;
  isCopied: boolean;
  onCopy: (text: string) => void;
  onEdit: (caption: string) => void;
}) {
  const { name, file } = useSource(row.link, row.name);
  return (
    <li className="grid min-h-[60px] grid-cols-[24px_minmax(0,1fr)_28px] items-start gap-x-3 border-t border-line px-6 py-3 max-desk:grid-cols-[20px_minmax(0,1fr)_40px] max-desk:px-4">
      <span className="tnum pt-px text-right text-12 text-ink-3">{place + 1}</span>
      <div className="grid min-w-0 gap-1.5">
        <div className="flex min-w-0 items-center gap-2">
          {libraryIdOf(row.link) !== null && <SourcePicture file={file ?? { kind: "video", thumbnailUrl: null }} />}
          <p className="raw truncate text-12 text-ink-3" {...tooltipWhenCut(name)}>
            {name}
          </p>
        </div>
        {row.status === "Completed" ? (
          <TextAreaField
            label={`Caption for video ${place + 1}`}
            isLabelHidden
            rows={1}
            value={row.caption ?? ""}
            // Wraps, with its own text direction.
            className="whitespace-pre-wrap [unicode-bidi:plaintext] max-desk:py-2.5"
            spellCheck
            onChange={(event) => onEdit(event.target.value)}
          />
        ) : (
          <RowState row={row} />
        )}
      </div>
      {row.status === "Completed" && (
        <IconButton
          icon={isCopied ? Check : Copy}
          label={isCopied ? "Copied!" : `Copy caption for video ${place + 1}`}
          className="mt-6"
          onClick={() => onCopy(oneLine(row.caption ?? ""))}
        />
      )}
    </li>
  );
}

function RowState({ row }: { row: VideoCaption }) {
  if (row.status === "Cancelled") return <p className="text-ink-3">Cancelled</p>;
  if (hasEnded(row)) return <ErrorBox text={row.error ?? "No caption for this video."} />;
  return (
    <p className="flex min-h-8 items-center gap-2 text-ink-2">
      {row.status === "Processing" && <Spinner size={14} />}
      {describeRow(row)}
    </p>
  );
}
