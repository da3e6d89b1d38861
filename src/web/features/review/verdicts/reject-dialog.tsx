import { useState, type FormEvent } from "react";
import { REVIEW_LIMITS } from "#contract/jobs/outputs/review.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { TextField } from "../../../ui/fields/text-field.tsx";

/** The reason is optional; suggests earlier ones. `name` says which files. */
export function RejectDialog({
  name,
  count,
  reasons,
  isOpen,
  onReject,
  onClose,
}: {
  name: string;
  count: number;
  reasons: readonly string[];
  isOpen: boolean;
  onReject: (reason: string | null) => void;
  onClose: () => void;
}) {
  const [reason, setReason] = useState("");
  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    onReject(reason.trim() || null);
  }
  return (
    <Dialog
      isOpen={isOpen}
      title={count === 1 ? "Reject this file" : `Reject ${pluralize(count, "file")}`}
      text={name}
      onClose={onClose}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary">
            Reject
          </Button>
        </>
      }
    >
      <TextField
        label="Reason"
        hint="Optional. Everyone who opens this job sees it."
        maxLength={REVIEW_LIMITS.reasonCharacters}
        autoComplete="off"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {reasons.length > 0 && (
        <div className="flex flex-wrap gap-2">
          {reasons.map((given) => (
            <Button key={given} size="sm" className="max-w-full" onClick={() => onReject(given)}>
              <span className="truncate">{given}</span>
            </Button>
          ))}
        </div>
      )}
    </Dialog>
  );
}
