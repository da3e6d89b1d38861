import type { FormEventHandler, ReactNode } from "react";

/** The layout of a dialog or sheet; a form when it can be submitted. Replaces the browser's validation with its own. */
export function DialogForm({
  className,
  onSubmit,
  children,
}: {
  className?: string;
  onSubmit: FormEventHandler<HTMLFormElement> | undefined;
  children: ReactNode;
}) {
  if (!onSubmit) return <div className={className}>{children}</div>;
  return (
    <form
      noValidate
      className={className}
      onSubmit={(event) => {
        // React bubbles the event to the form that opened the dialog.
        event.stopPropagation();
        event.preventDefault();
        onSubmit(event);
      }}
    >
      {children}
    </form>
  );
}
