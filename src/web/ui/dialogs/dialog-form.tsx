import type { FormEventHandler, ReactNode } from "react";

/** What a dialog or sheet is laid out in: a form when it can be submitted. Its own rules say what is wrong, not the browser's. */
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
        // React passes events on to the form that the dialog was opened from.
        event.stopPropagation();
        event.preventDefault();
        onSubmit(event);
      }}
    >
      {children}
    </form>
  );
}
