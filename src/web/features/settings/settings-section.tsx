import { useId, type FormEventHandler, type ReactNode } from "react";

const LAYOUT =
  "grid gap-x-8 gap-y-4 border-t border-line px-6 py-6 max-desk:px-4 wide:grid-cols-[264px_minmax(0,600px)]";

export function SettingsSection({
  title,
  text,
  onSubmit,
  children,
}: {
  title: string;
  text?: string;
  onSubmit?: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
}) {
  const id = useId();
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
      <section aria-labelledby={id} className={LAYOUT}>
        {content}
      </section>
    );
  }
  return (
    <form aria-labelledby={id} noValidate className={LAYOUT} onSubmit={onSubmit}>
      {content}
    </form>
  );
}
