import { Switch } from "../../ui/fields/switch.tsx";
import { setNotifications, useNotificationState } from "./notifications.ts";

/** Renders nothing in browsers without notifications. */
export function NotifySwitch() {
  const state = useNotificationState();
  if (state === "unsupported") return null;
  return (
    <div className="grid gap-1 *:first:justify-between">
      <Switch
        label="Notify me when a job ends"
        checked={state === "on"}
        disabled={state === "blocked"}
        onChange={(event) => void setNotifications(event.target.checked)}
      />
      {state === "blocked" && (
        <p className="text-12 text-ink-3">
          Your browser blocks notifications from this site. Allow them in its settings.
        </p>
      )}
    </div>
  );
}
