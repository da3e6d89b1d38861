import { type FormEvent, useState } from "react";
import { GUEST_LIMITS, type GuestView, SAMPLES_CHANGED } from "#contract/guests/guests.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { formatShortDate } from "../../jobs/time/short-date.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { TextAreaField } from "../../ui/fields/text-area-field.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { WarningNote } from "../../ui/states/warning-note.tsx";
import { approveSamples, sendComment } from "./guest-calls.ts";

type Act = "comment" | "approve";

export type FeedbackProps = {
  view: GuestView;
  hasChanged: boolean;
  onChange: (view: GuestView) => void;
  /** The shown samples may be stale. */
  onRefused: () => Promise<void>;
};

export function Feedback({ view, hasChanged, onChange, onRefused }: FeedbackProps) {
  const [author, setAuthor] = useState("");
  const [message, setMessage] = useState("");
  /** The samples to approve, so that the confirmation closes when others are shown. */
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const [busy, setBusy] = useState<Act | null>(null);
  const [error, setError] = useState<string | null>(null);
  const shown = view.samples.map(({ id }) => id).join();

  async function send(act: Act) {
    if (busy !== null) return;
    setBusy(act);
    setError(null);
    try {
      onChange(await (act === "approve" ? approveSamples(view, author, message) : sendComment(author, message)));
      setMessage("");
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
      if (cause instanceof CallError && cause.status === 409) await onRefused();
    } finally {
      setBusy(null);
      setConfirmed(null);
    }
  }
  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    void send("comment");
  }
  return (
    <section aria-label="Feedback" className="grid gap-4 border-t border-line p-6 max-desk:p-4">
      {view.comments.length > 0 && (
        <ul aria-label="Your comments" className="grid gap-3">
          {view.comments.map((comment) => (
            <li key={comment.id} className="grid gap-0.5">
              <p className="text-12 text-ink-3">
                <b className="font-medium text-ink-2">{comment.author}</b>
                {comment.is_approval ? " approved the samples" : ""} · {formatShortDate(comment.created_at)}
              </p>
              {comment.message !== null && (
                <p dir="auto" className="wrap-anywhere whitespace-pre-line text-ink">
                  {comment.message}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      <form className="grid max-w-140 gap-4" onSubmit={handleSubmit}>
        <TextField
          label="Your name"
          autoComplete="name"
          required
          maxLength={GUEST_LIMITS.authorCharacters}
          value={author}
          onChange={(event) => setAuthor(event.target.value)}
        />
        <TextAreaField
          label="Comment"
          className="wrap-anywhere !whitespace-pre-wrap"
          maxLength={GUEST_LIMITS.messageCharacters}
          value={message}
          onChange={(event) => setMessage(event.target.value)}
        />
        {error ? (
          <ErrorBox text={error} />
        ) : (
          hasChanged && view.state === "waiting" && <WarningNote text={SAMPLES_CHANGED} />
        )}
        {view.can_approve && confirmed === shown ? (
          <fieldset aria-label="Approve samples" className="flex flex-wrap items-center gap-2">
            <span className="w-full text-ink">All other videos will be made like these samples.</span>
            <Button look="primary" isBusy={busy === "approve"} onClick={() => void send("approve")}>
              Approve
            </Button>
            <Button look="quiet" onClick={() => setConfirmed(null)}>
              Not yet
            </Button>
          </fieldset>
        ) : (
          <div className="flex flex-wrap gap-2">
            {view.can_approve && (
              <Button look="primary" disabled={author.trim() === ""} onClick={() => setConfirmed(shown)}>
                Approve samples
              </Button>
            )}
            <Button type="submit" disabled={author.trim() === "" || message.trim() === ""} isBusy={busy === "comment"}>
              Send comment
            </Button>
          </div>
        )}
      </form>
    </section>
  );
}
