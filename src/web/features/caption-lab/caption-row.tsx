import { Check, Copy } from "lucide-react";
import type { VideoCaption } from "#contract/captions.ts";
import { SourcePicture } from "../../sources/source-picture.tsx";
import { useSource } from "../../sources/use-library.ts";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { IconButton } from "../../ui/buttons/icon-button.tsx";
import { Spinner } from "../../ui/states/spinner.tsx";
import { TextAreaField } from "../../ui/fields/text-area-field.tsx";
import { tooltipWhenCut } from "../../ui/page/tooltip.ts";
import { describeRow, hasEnded, oneLine } from "./describe-batch.ts";

export function CaptionRow({
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
          {file && <SourcePicture file={file} />}
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
            className="whitespace-pre-wrap [unicode-bidi:plaintext]"
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
