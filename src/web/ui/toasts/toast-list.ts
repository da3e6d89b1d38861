/** Outside React, so that any code can show a toast. */

export type ToastVariant = "default" | "success" | "destructive";

export type ToastOptions = {
  title: string;
  description?: string | undefined;
  /** Destructive toasts stay until dismissed. */
  variant?: ToastVariant | undefined;
  action?: { label: string; onClick: () => void } | undefined;
};

export type Toast = ToastOptions & { id: number; variant: ToastVariant };

const MAX_TOASTS = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function replace(next: readonly Toast[]) {
  toasts = next;
  for (const listener of listeners) listener();
}

/** Keeps three toasts: removes the oldest that would expire, or else the oldest. Returns an ID for `dismissToast`. */
export function showToast(options: ToastOptions): number {
  lastId += 1;
  const next = [...toasts, { ...options, id: lastId, variant: options.variant ?? "default" }];
  if (next.length > MAX_TOASTS) {
    const expiring = next.findIndex((toast) => toast.variant !== "destructive");
    next.splice(expiring === -1 || expiring === next.length - 1 ? 0 : expiring, 1);
  }
  replace(next);
  return lastId;
}

/** Ignores unknown IDs. */
export function dismissToast(id: number): void {
  replace(toasts.filter((toast) => toast.id !== id));
}

export const toastList = {
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  read: (): readonly Toast[] => toasts,
};
