import { CircleCheck, RotateCcw } from "lucide-react";
import { useState } from "react";
import type { PublishedVersion } from "#contract/cloak/cloak.ts";
import { pluralize } from "../../../jobs/row/pluralize.ts";
import { formatShortDate, formatWholeDate } from "../../../jobs/time/short-date.ts";
import { Button } from "../../../ui/buttons/button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { Sheet } from "../../../ui/dialogs/sheet.tsx";
import { StatusBadge } from "../../../ui/states/status-badge.tsx";
import { tooltip } from "../../../ui/page/tooltip.ts";

type VersionsSheetProps = {
  versions: readonly PublishedVersion[];
  isOpen: boolean;
  canPublish: boolean;
  onPublish: (version: number) => void;
  onClose: () => void;
};

export function VersionsSheet(props: VersionsSheetProps) {
  const [wasOpened, setWasOpened] = useState(props.isOpen);
  if (props.isOpen && !wasOpened) setWasOpened(true);
  return wasOpened ? <OpenedSheet {...props} /> : null;
}

function OpenedSheet({ versions, isOpen, canPublish, onPublish, onClose }: VersionsSheetProps) {
  const [selected, setSelected] = useState<PublishedVersion | null>(null);
  const [last, setLast] = useState<PublishedVersion | null>(null);

  function handleConfirm() {
    if (selected) onPublish(selected.version);
    setSelected(null);
  }
  return (
    <Sheet isOpen={isOpen} title="Published versions" hint="The last 10, newest first." onClose={onClose}>
      {versions.length === 0 && <p>Nothing has been published yet.</p>}
      <ul>
        {versions.map((version) => (
          <li
            key={version.version}
            className="flex items-center gap-3 border-b border-line py-2.5 first:pt-0 last:border-0"
          >
            <div className="min-w-0 flex-1">
              <p className="flex items-center gap-2 font-medium text-ink">
                Version {version.version}
                {version.isCurrent && <StatusBadge tone="completed" icon={CircleCheck} label="Current" isInline />}
              </p>
              <p className="tnum text-12 wrap-anywhere text-ink-3">
                <time dateTime={version.publishedAt} {...tooltip(formatWholeDate(version.publishedAt))}>
                  {formatShortDate(version.publishedAt)}
                </time>
                {` · ${pluralize(version.routes, "route")}`}
              </p>
              {version.publishedBy && <p className="text-12 wrap-anywhere text-ink-3">{version.publishedBy}</p>}
            </div>
            {!version.isCurrent && (
              <Button
                icon={RotateCcw}
                disabled={!canPublish}
                aria-label={`Publish again: version ${version.version}`}
                onClick={() => {
                  setSelected(version);
                  setLast(version);
                }}
              >
                Publish again
              </Button>
            )}
          </li>
        ))}
      </ul>
      {last && (
        <ConfirmDialog
          isOpen={selected !== null}
          title={`Publish version ${last.version} again?`}
          text={`Visitors will follow the ${pluralize(last.routes, "route")} of version ${last.version} again. Your saved routes stay unchanged and show as pending changes. Auto-publish waits for the next change to a domain or route.`}
          confirmLabel="Publish again"
          cancelLabel="Keep current"
          onConfirm={handleConfirm}
          onClose={() => setSelected(null)}
        />
      )}
    </Sheet>
  );
}
