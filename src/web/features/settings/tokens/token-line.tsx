import { Trash2 } from "lucide-react";
import type { ApiToken } from "#contract/api-tokens.ts";
import { formatShortDate, formatWholeDate } from "../../../jobs/time/short-date.ts";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { tooltip, tooltipWhenCut } from "../../../ui/page/tooltip.ts";
import { SCOPE_LABELS } from "./scope-labels.ts";

export function TokenLine({ token, onRevoke }: { token: ApiToken; onRevoke: () => void }) {
  const { name, last4, scopes, created_at: createdAt } = token;
  return (
    <li className="flex items-center gap-3 border-t border-line py-2 first:border-t-0 first:pt-0">
      <div className="min-w-0 flex-1">
        <div className="flex min-w-0 items-baseline gap-2">
          <span className="truncate text-ink" {...tooltipWhenCut(name)}>
            {name}
          </span>
          <span className="raw tnum shrink-0 text-12 text-ink-3">clm_…{last4}</span>
        </div>
        <div className="text-12 text-ink-3">{scopes.map((scope) => SCOPE_LABELS[scope]).join(" · ")}</div>
        <div className="tnum text-12 text-ink-3" {...tooltip(`Created ${formatWholeDate(createdAt)}`)}>
          {describeUse(token)}
        </div>
      </div>
      <IconButton icon={Trash2} label={`Revoke ${name}`} onClick={onRevoke} />
    </li>
  );
}

function describeUse({ last_used_at: usedAt, expires_at: expiresAt }: ApiToken, now = new Date()): string {
  const used = usedAt === null ? "Never used" : `Used ${formatShortDate(usedAt, now)}`;
  if (expiresAt === null) return `${used} · Does not expire`;
  return `${used} · ${new Date(expiresAt) <= now ? "Expired" : "Expires"} ${formatShortDate(expiresAt, now)}`;
}
