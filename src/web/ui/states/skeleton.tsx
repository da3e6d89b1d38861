import { classNames } from "../class-names.ts";

/** A static placeholder block; the caller sets its size. The surrounding list sets aria-busy. */
export function Skeleton({ className }: { className: string }) {
  return <span aria-hidden className={classNames("block rounded-1 bg-slat", className)} />;
}
