import { classNames } from "../../ui/class-names.ts";

export function StatusDot({ isActive }: { isActive: boolean }) {
  return (
    <span
      aria-hidden
      className={classNames(
        "size-1.5 shrink-0 rounded-full",
        isActive ? "bg-completed" : "shadow-[inset_0_0_0_1.5px_var(--cancelled)]",
      )}
    />
  );
}
