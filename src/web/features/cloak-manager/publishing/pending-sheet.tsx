import { ArrowRight, CloudUpload, Minus, Pencil, Plus } from "lucide-react";
import { useState } from "react";
import type { CloakStateResponse, PendingChange } from "#contract/cloak/cloak.ts";
import { pluralize, formatCount } from "../../../jobs/row/pluralize.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { Icon, type LucideIcon } from "../../../ui/page/icon.tsx";
import { Sheet } from "../../../ui/dialogs/sheet.tsx";
import { decodeAddress } from "../../../ui/text/decode-domain.ts";

const KINDS: Record<PendingChange["kind"], { word: string; icon: LucideIcon; ink: string }> = {
  added: { word: "Added", icon: Plus, ink: "text-completed" },
  changed: { word: "Changed", icon: Pencil, ink: "text-warning" },
  removed: { word: "Removed", icon: Minus, ink: "text-failed" },
};

type PendingSheetProps = {
  state: CloakStateResponse | undefined;
  isOpen: boolean;
  canPublish: boolean;
  isPublishing: boolean;
  /** Gets focus if the badge that opened the sheet is gone. */
  returnFocusTo: () => HTMLElement | null;
  onPublish: () => void;
  onClose: () => void;
};

export function PendingSheet(props: PendingSheetProps) {
  const [wasOpened, setWasOpened] = useState(props.isOpen);
  if (props.isOpen && !wasOpened) setWasOpened(true);
  return wasOpened ? <OpenedSheet {...props} /> : null;
}

function OpenedSheet(props: PendingSheetProps) {
  const { state, isOpen, canPublish, isPublishing, returnFocusTo, onPublish, onClose } = props;
  const pending = state?.pending ?? [];
  const { pendingCount = 0, differences = 0 } = state ?? {};
  const rest = differences - pending.length;
  return (
    <Sheet
      isOpen={isOpen}
      title="Pending changes"
      hint={
        state?.isRolledBack
          ? "An earlier version was published again. Auto-publish waits for the next change to a domain or route."
          : "Changes visitors will see after the next publish."
      }
      onClose={onClose}
      returnFocusTo={() => (pendingCount === 0 ? returnFocusTo() : null)}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Close
          </Button>
          <Button
            look="primary"
            icon={CloudUpload}
            disabled={pendingCount === 0 || (!canPublish && !isPublishing)}
            isBusy={isPublishing}
            onClick={onPublish}
          >
            Publish Config
          </Button>
        </>
      }
    >
      {pending.length === 0 && <p>{describeNoDifference(pendingCount)}</p>}
      <ul>
        {pending.map((change) => (
          <Change key={change.address} change={change} />
        ))}
      </ul>
      {rest > 0 && (
        <p className="text-12 text-ink-3">{`And ${pluralize(rest, "more change", "more changes")}. All ${formatCount(differences)} go live together.`}</p>
      )}
    </Sheet>
  );
}

function describeNoDifference(pendingCount: number): string {
  if (pendingCount === 0) return "No pending changes. The published version matches your saved routes.";
  const changes = pluralize(pendingCount, "change is", "changes are");
  return `${changes} pending, but visitors won't see a difference.`;
}

function Change({ change: { kind, address, before, after } }: { change: PendingChange }) {
  const { word, icon, ink } = KINDS[kind];
  return (
    <li className="grid grid-cols-[16px_minmax(0,1fr)] gap-x-2.5 gap-y-0.5 border-b border-line py-2.5 first:pt-0 last:border-0">
      <Icon icon={icon} size={14} className={`mt-[3px] ${ink}`} />
      <p className="raw wrap-anywhere">
        <span className={`mr-2 text-12 font-medium ${ink}`}>{word}</span>
        <span className="font-medium text-ink">{decodeAddress(address)}</span>
      </p>
      <p className="raw col-start-2 line-clamp-4 text-12 wrap-anywhere text-ink-3">
        {before !== null && <Place isStruck={kind !== "changed" || after !== null}>{before}</Place>}
        {before !== null && after !== null && (
          <>
            <Icon icon={ArrowRight} size={12} className="mx-1.5 inline" />
            <span className="sr-only">becomes</span>
          </>
        )}
        {after !== null && <span className="text-ink-2">{after}</span>}
      </p>
    </li>
  );
}

function Place({ isStruck, children }: { isStruck: boolean; children: string }) {
  return isStruck ? <del>{children}</del> : <span>{children}</span>;
}
