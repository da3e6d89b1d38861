import { CircleAlert, CircleCheck, Info, X } from "lucide-react";
import { useEffect, useState, useSyncExternalStore } from "react";
import { Button } from "../buttons/button.tsx";
import { IconButton } from "../buttons/icon-button.tsx";
import { classNames } from "../class-names.ts";
import { Icon, type LucideIcon } from "../page/icon.tsx";
import { dismissToast, type Toast, toastList, type ToastVariant } from "./toast-list.ts";
import { useToastPlace } from "./use-toast-place.ts";

const DURATION_MS = 6_000;

const GLYPHS: Record<ToastVariant, { icon: LucideIcon; ink: string }> = {
  default: { icon: Info, ink: "text-ink-3" },
  success: { icon: CircleCheck, ink: "text-completed" },
  destructive: { icon: CircleAlert, ink: "text-failed" },
};

/** At the lower right, above dialogs and clear of main controls; newest lowest. Mount once. */
export function Toaster() {
  const toasts = useSyncExternalStore(toastList.subscribe, toastList.read);
  const stack = useToastPlace(
    toasts.length > 0,
    toasts.some(({ variant }) => variant === "destructive"),
  );
  return (
    <section
      ref={stack}
      aria-label="Notifications"
      data-toasts
      // Stays accessible while a modal dialog hides the rest of the page.
      aria-live="polite"
      className="pointer-events-none fixed z-30 grid w-[368px] gap-2 [--edge:16px] max-desk:w-[calc(100vw-24px)] max-desk:[--edge:12px]"
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  );
}

function ToastCard({ toast }: { toast: Toast }) {
  const hold = useDismissal(toast);
  const glyph = GLYPHS[toast.variant];
  const isDestructive = toast.variant === "destructive";
  return (
    <div
      role={isDestructive ? "alert" : "status"}
      className={classNames(
        "pointer-events-auto grid grid-cols-[16px_minmax(0,1fr)_auto] gap-x-3 rounded-3 border py-3 pr-2 pl-4 shadow-pop transition duration-(--d-3) ease-move starting:translate-y-2 starting:opacity-0",
        isDestructive
          ? "border-[color-mix(in_srgb,var(--failed)_55%,var(--overlay))] bg-[color-mix(in_srgb,var(--failed)_10%,var(--overlay))]"
          : "border-line-strong bg-overlay",
      )}
      {...hold}
    >
      <Icon icon={glyph.icon} className={classNames("mt-0.5 shrink-0", glyph.ink)} />
      <div className="min-w-0 wrap-anywhere">
        <p className="font-semibold text-ink">{toast.title}</p>
        {toast.description && <p>{toast.description}</p>}
        {toast.action && <ToastAction id={toast.id} {...toast.action} />}
      </div>
      <IconButton
        icon={X}
        label="Dismiss"
        className="-my-1 max-desk:-my-2.5"
        // Keeps focus in the form that the toast belongs to.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => dismissToast(toast.id)}
      />
    </div>
  );
}

function ToastAction({ id, label, onClick }: { id: number; label: string; onClick: () => void }) {
  function handleClick() {
    dismissToast(id);
    onClick();
  }
  return (
    <Button size="sm" className="mt-2" onClick={handleClick}>
      {label}
    </Button>
  );
}

/** The time restarts when the pointer or focus leaves the toast. */
function useDismissal(toast: Toast) {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (isHeld || toast.variant === "destructive") return undefined;
    const timer = setTimeout(dismissToast, DURATION_MS, toast.id);
    return () => clearTimeout(timer);
  }, [isHeld, toast.id, toast.variant]);
  return {
    onPointerEnter: () => setIsHeld(true),
    onPointerLeave: () => setIsHeld(false),
    onFocus: () => setIsHeld(true),
    onBlur: () => setIsHeld(false),
  };
}

/** Keeps dialogs and sheets below open when a toast is dismissed. */
export function isToastPress(event: Event): boolean {
  return event.target instanceof Element && event.target.closest("[data-toasts]") !== null;
}
