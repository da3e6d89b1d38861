import type { GuestComment } from "#contract/guests/guests.ts";
import { formatShortDate, formatWholeDate } from "../../../jobs/time/short-date.ts";
import { tooltip } from "../../../ui/page/tooltip.ts";

/** Guests' names are unverified. */
export function GuestComments({ comments }: { comments: readonly GuestComment[] }) {
  if (comments.length === 0) return null;
  return (
    <div className="mt-4">
      <h3 className="text-12 font-medium text-ink-3">Guest comments</h3>
      <ul className="mt-2 grid max-h-80 gap-3 overflow-auto">
        {comments.map(({ id, author, message, is_approval: isApproval, created_at: createdAt }) => (
          <li key={id} className="grid gap-0.5">
            <p className="text-12 wrap-anywhere text-ink-3">
              <b dir="auto" className="font-medium text-ink-2">
                {author}
              </b>
              {isApproval && " approved the samples"} ·{" "}
              <time dateTime={createdAt} {...tooltip(formatWholeDate(createdAt))}>
                {formatShortDate(createdAt)}
              </time>
            </p>
            {message !== null && (
              <p dir="auto" className="wrap-anywhere whitespace-pre-line text-ink">
                {message}
              </p>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}
