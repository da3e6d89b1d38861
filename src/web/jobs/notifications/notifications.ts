/** Notifications are on if the operator enabled them in this browser and the browser permits them. */
import { useSyncExternalStore } from "react";

const STORAGE_KEY = "clipmill-notify";

const listeners = new Set<() => void>();
let isEnabled = localStorage.getItem(STORAGE_KEY) === "on";

// Another tab may change the setting.
window.addEventListener("storage", (event) => {
  if (event.key !== STORAGE_KEY) return;
  isEnabled = event.newValue === "on";
  notifyListeners();
});

function notifyListeners() {
  for (const listener of listeners) listener();
}

function remember(enabled: boolean) {
  isEnabled = enabled;
  localStorage.setItem(STORAGE_KEY, enabled ? "on" : "off");
  notifyListeners();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export type NotificationState = "on" | "off" | "blocked" | "unsupported";

function readState(): NotificationState {
  if (!("Notification" in window)) return "unsupported";
  if (Notification.permission === "denied") return "blocked";
  return isEnabled && Notification.permission === "granted" ? "on" : "off";
}

/** Follows the setting in all tabs. A permission changed in the browser shows at the next render. */
export function useNotificationState(): NotificationState {
  return useSyncExternalStore(subscribe, readState);
}

/** May make the browser ask for permission. */
export async function setNotifications(enabled: boolean): Promise<void> {
  if (enabled && Notification.permission === "default") await Notification.requestPermission();
  remember(enabled && Notification.permission === "granted");
}

/** Focuses the tab on click. Tabs that pass the same `tag` show it once. */
export function notify(
  title: string,
  { body, tag, onClick }: { body: string; tag: string; onClick: () => void },
): void {
  try {
    const notification = new Notification(title, { body, tag, icon: "/favicon.svg" });
    notification.addEventListener("click", () => {
      window.focus();
      notification.close();
      onClick();
    });
  } catch {
    // On phones, only service workers can show notifications.
  }
}
