import { Trash2 } from "lucide-react";
import type { GuestLink } from "#contract/guests/guests.ts";
import { useNow } from "../../../jobs/time/seconds-clock.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";

export function GuestLinkLine({ link, onRevoke }: { link: GuestLink; onRevoke: () => void }) {
  const created = formatShortDate(link.created_at);
  const now = new Date(useNow(false));
  return (
    <li className="flex items-center gap-3 border-t border-line py-2 first:border-t-0">
      <div className="tnum min-w-0 flex-1 text-12 text-ink-3">
        <p className="text-ink">
          Created {created}
          {link.can_approve && " · can approve"}
        </p>
        <p>{describeLink(link, now)}</p>
      </div>
      {isLive(link, now) && (
        <IconButton icon={Trash2} label={`Revoke the link created ${created}`} onClick={onRevoke} />
      )}
    </li>
  );
}

function isLive({ revoked_at: revokedAt, expires_at: expiresAt }: GuestLink, now: Date): boolean {
  return revokedAt === null && new Date(expiresAt) > now;
}

function describeLink(link: GuestLink, now: Date): string {
  const seen = link.last_seen_at === null ? "Not opened yet" : `Last opened ${formatShortDate(link.last_seen_at, now)}`;
  if (link.revoked_at !== null) return `Revoked ${formatShortDate(link.revoked_at, now)} · ${seen}`;
  const expires = formatShortDate(link.expires_at, now);
  return `${isLive(link, now) ? "Expires" : "Expired"} ${expires} · ${seen}`;
}
