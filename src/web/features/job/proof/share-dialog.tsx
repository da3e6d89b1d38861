import { useQueryClient } from "@tanstack/react-query";
import { Trash2 } from "lucide-react";
import { type SubmitEvent, useState } from "react";
import type { GuestLink, ShareResponse } from "#contract/guests/guests.ts";
import type { Job } from "#contract/jobs/jobs.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { createGuestLink, revokeGuestLink } from "../../../api/proof.ts";
import { useNow } from "../../../jobs/time/elapsed.ts";
import { formatShortDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { IconButton } from "../../../ui/buttons/icon-button.tsx";
import { useCopy } from "../../../ui/buttons/use-copy.ts";
import { Dialog } from "../../../ui/dialogs/dialog.tsx";
import { Checkbox } from "../../../ui/fields/checkbox.tsx";
import { SegmentedField } from "../../../ui/fields/segmented-field.tsx";
import { ErrorBox } from "../../../ui/states/error-box.tsx";
import { useExclusiveAction } from "../../../ui/use-exclusive-action.ts";
import { feedbackKey } from "./use-proof.ts";

const LIFETIMES = [
  { value: "1", label: "1 day" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
  { value: "90", label: "90 days" },
] as const;
type Lifetime = (typeof LIFETIMES)[number]["value"];

/** Shows a new guest link once. */
export function ShareDialog({ job, links, onClose }: { job: Job; links: readonly GuestLink[]; onClose: () => void }) {
  const client = useQueryClient();
  const [lifetime, setLifetime] = useState<Lifetime>("7");
  const [canApprove, setCanApprove] = useState(true);
  const [created, setCreated] = useState<ShareResponse | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const creation = useExclusiveAction();
  const revocation = useExclusiveAction();

  async function change(act: () => Promise<void>) {
    setFailure(null);
    try {
      await act();
      void client.invalidateQueries({ queryKey: feedbackKey(job.id) });
    } catch (error) {
      setFailure(error instanceof CallError ? error.message : "Something went wrong. Try again.");
    }
  }
  async function create() {
    setCreated(await createGuestLink(job.id, Number(lifetime), canApprove));
  }
  async function revoke(id: string) {
    await revokeGuestLink(job.id, id);
    setCreated((shown) => (shown?.data.id === id ? null : shown));
  }
  function handleSubmit(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    void creation.run(() => change(create));
  }
  // Closing before a new link arrives would lose it.
  const handleClose = () => !creation.isBusy && onClose();
  return (
    <Dialog
      isOpen
      title="Share the samples"
      text="Anyone with a guest link can watch the samples and comment on them, without an account. It shows nothing else."
      onClose={handleClose}
      onSubmit={handleSubmit}
      footer={
        <>
          <Button look="quiet" disabled={creation.isBusy} onClick={handleClose}>
            Close
          </Button>
          <Button type="submit" look="primary" isBusy={creation.isBusy}>
            Create link
          </Button>
        </>
      }
    >
      {created?.path != null && <NewLink address={location.origin + created.path} />}
      <SegmentedField label="Valid for" options={LIFETIMES} value={lifetime} onChange={setLifetime} />
      <Checkbox
        label="Guests can approve the samples"
        checked={canApprove}
        onChange={() => setCanApprove(!canApprove)}
      />
      {failure !== null && <ErrorBox text={failure} />}
      {links.length > 0 && (
        <ul aria-label="Guest links" className="grid max-h-52 overflow-auto">
          {links.map((link) => (
            <GuestLinkLine
              key={link.id}
              link={link}
              onRevoke={() => void revocation.run(() => change(() => revoke(link.id)))}
            />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function NewLink({ address }: { address: string }) {
  const { copied, copy } = useCopy();
  return (
    <div className="grid gap-2">
      <p className="text-12 text-ink-3">Copy the link now. It is not shown again.</p>
      <div className="flex items-start gap-2">
        <output
          aria-label="Guest link"
          className="raw min-w-0 flex-1 rounded-2 bg-well px-3 py-2 wrap-anywhere text-ink"
        >
          {address}
        </output>
        <Button onClick={() => copy(address)}>{copied ? "Copied!" : "Copy link"}</Button>
      </div>
    </div>
  );
}

function GuestLinkLine({ link, onRevoke }: { link: GuestLink; onRevoke: () => void }) {
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
