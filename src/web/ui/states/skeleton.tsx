import { classNames } from "../class-names.ts";

/** The caller sets the size, the surrounding list aria-busy. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={classNames("block rounded-1 bg-slat", className)} />;
}
