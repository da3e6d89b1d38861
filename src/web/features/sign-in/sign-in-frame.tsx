import { useEffect, useRef, type ReactNode } from "react";
import { Logo } from "../../ui/page/logo.tsx";
import { SlatField } from "./slat-field.tsx";

/** `title` names a step after the first. */
export function SignInFrame({ title, text, children }: { title?: string; text?: ReactNode; children: ReactNode }) {
  return (
    <main className="grid min-h-dvh grid-cols-1 desk:grid-cols-[minmax(0,560px)_minmax(0,1fr)] desk:p-(--gutter)">
      <title>{`${title ?? "Sign In"} · Clipmill`}</title>
      <div className="grid grid-cols-1 place-items-center bg-pane p-6 desk:rounded-3 desk:border desk:border-line">
        <div className="mb-[8vh] grid w-80 max-w-full gap-4">
          <h1 className="mb-4 text-ink">
            <Logo height={26} />
          </h1>
          {(title ?? text) !== undefined && (
            <div className="grid gap-1">
              {title !== undefined && <StepTitle key={title} title={title} />}
              {text !== undefined && <output className="block wrap-anywhere">{text}</output>}
            </div>
          )}
          {children}
        </div>
      </div>
      <SlatField />
    </main>
  );
}

/** Takes focus in steps without an autofocused field, for screen readers. */
function StepTitle({ title }: { title: string }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) heading.current?.focus();
  }, []);
  return (
    <h2 ref={heading} tabIndex={-1} className="text-16 outline-none">
      {title}
    </h2>
  );
}
