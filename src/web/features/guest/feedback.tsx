import { type FormEvent, useId, useState } from "react";
import { GUEST_LIMITS, type GuestComment, type GuestView, SAMPLES_CHANGED } from "#contract/guests/guests.ts";
import { CallError } from "../../api/functions/call-error.ts";
import { formatShortDate } from "../../jobs/time/short-date.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { TextAreaField } from "../../ui/fields/text-area-field.tsx";
import { TextField } from "../../ui/fields/text-field.tsx";
import { ErrorBox } from "../../ui/states/error-box.tsx";
import { WarningNote } from "../../ui/states/warning-note.tsx";
import { formatClipLength } from "../../ui/text/length-and-size.ts";
import { approveSamples, type CommentPlace, sendComment } from "./guest-calls.ts";

const AUTHOR_KEY = "clipmill-guest-name";

type FeedbackProps = {
  view: GuestView;
  hasChanged: boolean;
  onChange: (view: GuestView) => void;
  onRejected: () => Promise<void>;
};

/** The general comment goes with an approval. The browser remembers the name. One request is in flight at a time. */
export function useFeedback({ view, hasChanged, onChange, onRejected }: FeedbackProps) {
  const [author, setAuthor] = useState(() => localStorage.getItem(AUTHOR_KEY) ?? "");
  const [message, setMessage] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string | null>(null);

  /** Returns true if the server accepted it. */
  async function send(request: () => Promise<GuestView>): Promise<boolean> {
    if (isBusy) return false;
    setIsBusy(true);
    setError(null);
    try {
      onChange(await request());
      localStorage.setItem(AUTHOR_KEY, author.trim());
      return true;
    } catch (cause) {
      setError(cause instanceof Error ? cause.message : String(cause));
      if (cause instanceof CallError && cause.status === 409) await onRejected();
      return false;
    } finally {
      setIsBusy(false);
    }
  }
  return {
    view,
    hasChanged,
    author,
    setAuthor,
    message,
    setMessage,
    isBusy,
    error,
    comment: (text: string, place?: CommentPlace) => send(() => sendComment(author, text, place)),
    approve: () => send(() => approveSamples(view, author, message)),
  };
}

type Feedback = ReturnType<typeof useFeedback>;

export function NameField({ feedback }: { feedback: Feedback }) {
  return (
    <div className="max-w-140">
      <TextField
        label="Your name"
        autoComplete="name"
        required
        maxLength={GUEST_LIMITS.authorCharacters}
        value={feedback.author}
        onChange={(event) => feedback.setAuthor(event.target.value)}
      />
    </div>
  );
}

/** Without `place`, the comment is about all samples. */
export function CommentForm({
  label,
  feedback,
  place,
  isPrimary = false,
  onClose,
}: {
  label: string;
  feedback: Feedback;
  place?: CommentPlace;
  isPrimary?: boolean;
  onClose?: () => void;
}) {
  const [note, setNote] = useState("");
  const [isSending, setIsSending] = useState(false);
  const hint = useId();
  const text = place ? note : feedback.message;
  const setText = place ? setNote : feedback.setMessage;
  const missing = feedback.author.trim() === "" ? "Enter your name." : text.trim() === "" ? "" : null;

  async function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (missing !== null) return;
    setIsSending(true);
    const isSent = await feedback.comment(text, place);
    setIsSending(false);
    if (!isSent) return;
    setText("");
    onClose?.();
  }
  return (
    <form className="grid max-w-140 gap-3" onSubmit={(event) => void handleSubmit(event)}>
      <TextAreaField
        label={label}
        className="wrap-anywhere !whitespace-pre-wrap"
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the guest has just asked for it
        autoFocus={place !== undefined}
        maxLength={GUEST_LIMITS.messageCharacters}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      {feedback.error && !isSending && !place ? (
        <ErrorBox text={feedback.error} />
      ) : (
        !place && feedback.hasChanged && feedback.view.state === "waiting" && <WarningNote text={SAMPLES_CHANGED} />
      )}
      {place && feedback.error && <ErrorBox text={feedback.error} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          type="submit"
          look={isPrimary ? "primary" : "neutral"}
          disabled={missing !== null}
          isBusy={isSending}
          aria-describedby={missing ? hint : undefined}
        >
          {place ? "Send note" : "Send comment"}
        </Button>
        {onClose && (
          <Button look="quiet" onClick={onClose}>
            Discard
          </Button>
        )}
        {missing && (
          <span id={hint} className="text-12 text-ink-3">
            {missing}
          </span>
        )}
      </div>
    </form>
  );
}

/** Stays in view, so that a phone needs no scrolling to approve. */
export function Decision({ feedback }: { feedback: Feedback }) {
  const { view, author, isBusy } = feedback;
  const shown = view.samples.map(({ id }) => id).join();
  /** The samples to approve, so that the confirmation closes when others are shown. */
  const [confirmed, setConfirmed] = useState<string | null>(null);
  const hasName = author.trim() !== "";
  const hint = useId();

  async function approve() {
    const isApproved = await feedback.approve();
    setConfirmed(null);
    if (isApproved) feedback.setMessage("");
  }
  return (
    <div className="sticky bottom-0 z-2 border-t border-line bg-pane px-6 py-3 max-desk:px-4 desk:rounded-b-3">
      {confirmed === shown ? (
        <fieldset aria-label="Approve samples" className="flex flex-wrap items-center gap-2">
          <span className="min-w-0 flex-1 text-ink max-desk:basis-full">
            All other videos will be made like these samples.
          </span>
          <Button look="quiet" onClick={() => setConfirmed(null)}>
            Not yet
          </Button>
          <Button look="primary" className="max-desk:flex-1" isBusy={isBusy} onClick={() => void approve()}>
            Approve
          </Button>
        </fieldset>
      ) : (
        <div className="flex items-end gap-2">
          <div className="min-w-0 flex-1">
            <NameField feedback={feedback} />
          </div>
          <span id={hint} className="pb-1.5 text-12 text-ink-3 max-desk:hidden">
            {!hasName && "Enter your name to approve."}
          </span>
          <Button
            look="primary"
            disabled={!hasName}
            aria-describedby={hasName ? undefined : hint}
            onClick={() => setConfirmed(shown)}
          >
            Approve samples
          </Button>
        </div>
      )}
      {!hasName && confirmed !== shown && (
        <p aria-hidden className="mt-1 text-12 text-ink-3 desk:hidden">
          Enter your name to approve.
        </p>
      )}
    </div>
  );
}

/** `onMoment` shows the moment that a comment names. */
export function CommentList({
  label,
  comments,
  onMoment,
}: {
  label: string;
  comments: readonly GuestComment[];
  onMoment?: (atSeconds: number) => void;
}) {
  if (comments.length === 0) return null;
  return (
    <ul aria-label={label} className="grid gap-3">
      {comments.map(({ id, author, message, is_approval: isApproval, at_seconds: at, created_at: createdAt }) => (
        <li key={id} className="grid gap-0.5">
          <p className="flex flex-wrap items-center gap-x-1.5 text-12 text-ink-3">
            {at !== null && onMoment && (
              <button
                type="button"
                aria-label={`Show ${formatClipLength(at)}`}
                className="tnum -my-0.5 rounded-1 bg-raised px-1.5 py-0.5 font-medium text-ink hover:bg-raised-2 max-desk:-my-2 max-desk:min-h-11 max-desk:min-w-11"
                onClick={() => onMoment(at)}
              >
                {formatClipLength(at)}
              </button>
            )}
            <span>
              <b dir="auto" className="font-medium text-ink-2">
                {author}
              </b>
              {isApproval ? " approved the samples" : ""} · {formatShortDate(createdAt)}
            </span>
          </p>
          {message !== null && (
            <p dir="auto" className="wrap-anywhere whitespace-pre-line text-ink">
              {message}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
