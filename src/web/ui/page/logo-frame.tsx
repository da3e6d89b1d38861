import { type ReactNode, useEffect, useRef } from "react";
import { Logo } from "./logo.tsx";

/** `title` names a step after the first. */
export function LogoFrame({ title, text, children }: { title?: string; text?: ReactNode; children: ReactNode }) {
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

/** The product's mark, enlarged and divided into frames. */
function SlatField() {
  return (
    <div aria-hidden className="grid place-items-center overflow-hidden max-desk:hidden">
      <svg viewBox="3 2 19.5 20" className="h-[min(72vh,680px)]">
        <clipPath id="slat-1">
          <path d="M4 3.6a.8.8 0 0 1 1.17-.7L8 4.4v15.2l-2.83 1.5A.8.8 0 0 1 4 20.4z" />
        </clipPath>
        <g clipPath="url(#slat-1)">
          <rect className="fill-pane" x="4" y="-.65" width="4" height="6.12" />
          <rect className="fill-raised" x="4" y="5.74" width="4" height="6.12" />
          <rect className="fill-raised-2" x="4" y="12.14" width="4" height="6.12" />
          <rect className="fill-pane" x="4" y="18.54" width="4" height="6.12" />
        </g>
        <clipPath id="slat-2">
          <path d="M10 5.46l4 2.12v8.84l-4 2.12z" />
        </clipPath>
        <g clipPath="url(#slat-2)">
          <rect className="fill-raised" x="10" y="2.55" width="4" height="6.12" />
          <rect className="fill-pane" x="10" y="8.94" width="4" height="6.12" />
          <rect className="fill-raised-2" x="10" y="15.34" width="4" height="6.12" />
        </g>
        <path className="fill-nav-on" d="M16 8.64l5.1 2.7a.75.75 0 0 1 0 1.32L16 15.36z" />
      </svg>
    </div>
  );
}
