import { useId, type FormEventHandler, type ReactNode } from "react";
import { useLeaveConfirmation } from "../../editors/use-leave-confirmation.ts";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { type SectionHash, sectionOf } from "../../app/routing/settings-sections.ts";

const LAYOUT =
  "grid scroll-mt-(--h-top) gap-x-8 gap-y-4 border-t border-line px-6 py-6 first:border-t-0 max-desk:px-4 wide:grid-cols-[264px_minmax(0,600px)]";

/** A card of its tab, with at most one Save. */
export function SettingsSection({
  hash,
  text,
  onSubmit,
  isEdited = false,
  children,
}: {
  hash: SectionHash;
  text?: string;
  onSubmit?: FormEventHandler<HTMLFormElement>;
  /** True if leaving the tab loses input. */
  isEdited?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  const { title } = sectionOf(hash)!;
  const content = (
    <>
      <div>
        <h2 id={id} className="text-16">
          {title}
        </h2>
        {text !== undefined && <p className="mt-1 text-12 text-ink-3">{text}</p>}
      </div>
      <div className="grid min-w-0 content-start gap-5">{children}</div>
    </>
  );
  if (!onSubmit) {
    return (
      <section id={hash} aria-labelledby={id} className={LAYOUT}>
        {content}
      </section>
    );
  }
  return (
    <form id={hash} aria-labelledby={id} noValidate className={LAYOUT} onSubmit={onSubmit}>
      {content}
      <LeaveDialog title={title} isEdited={isEdited} />
    </form>
  );
}

function LeaveDialog({ title, isEdited }: { title: string; isEdited: boolean }) {
  const leave = useLeaveConfirmation(isEdited, () => {}, { isOfPath: true });
  return (
    <ConfirmDialog
      isOpen={leave.isAsking}
      title="Discard changes?"
      text={`Your changes to ${title} won't be saved.`}
      confirmLabel="Discard"
      cancelLabel="Keep editing"
      onConfirm={leave.confirm}
      onClose={leave.stay}
    />
  );
}
