/** The toasts on screen, kept outside React so that anything may show one. */

export type ToastVariant = "default" | "success" | "destructive";

export type ToastOptions = {
  title: string;
  description?: string | undefined;
  /** Destructive ones stay until they are dismissed. */
  variant?: ToastVariant | undefined;
  action?: { label: string; onClick: () => void } | undefined;
};

export type Toast = ToastOptions & { id: number; variant: ToastVariant };

const MOST_TOASTS = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/**
 * Adds a toast below the others; with more than three the oldest goes, one that would have gone by itself first.
 * Returns its id, for `dismissToast`.
 */
export function showToast(options: ToastOptions): number {
  lastId += 1;
  const next = [...toasts, { ...options, id: lastId, variant: options.variant ?? "default" }];
  if (next.length > MOST_TOASTS) {
    const passing = next.findIndex((toast) => toast.variant !== "destructive");
    next.splice(passing === -1 || passing === next.length - 1 ? 0 : passing, 1);
  }
  replace(next);
  return lastId;
}

export function dismissToast(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

/** For useSyncExternalStore. */
export const toastList = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): readonly Toast[] => toasts,
};
