import { CirclePause } from "lucide-react";
import { sectionLink } from "../../app/routing/settings-sections.ts";
import { Button } from "../../ui/buttons/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { Icon } from "../../ui/page/icon.tsx";
import { LinkButton } from "../../ui/buttons/link-button.tsx";
import { useClaimingNote, useSteerSystem } from "./use-claiming.ts";

export function QueueNote({ className }: { className?: string }) {
  const note = useClaimingNote();
  return (
    // A live region must exist before its text to be announced.
    <output className={classNames("block", className)} hidden={!note}>
      {note && (
        <div className="flex items-start gap-3 rounded-2 bg-warning-tint px-3 py-2 desk:items-center">
          <Icon icon={CirclePause} className="shrink-0 text-warning max-desk:mt-0.5" />
          <p className="min-w-0 flex-1 wrap-anywhere">
            <b className="font-medium text-ink">{note.title}</b> {note.text}
          </p>
          {note.isPaused ? (
            <ResumeQueue />
          ) : (
            <LinkButton size="sm" {...sectionLink("system")}>
              Settings
            </LinkButton>
          )}
        </div>
      )}
    </output>
  );
}

function ResumeQueue() {
  const { mutate, isPending } = useSteerSystem();
  return (
    <Button size="sm" isBusy={isPending} onClick={() => mutate({ action: "resume-queue" })}>
      Resume queue
    </Button>
  );
}
