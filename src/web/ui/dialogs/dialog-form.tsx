import type { FormEventHandler, ReactNode } from "react";

/** Renders a form, without browser validation, if `onSubmit` is set. */
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
