import { useEffect, useEffectEvent } from "react";
import { subscribeToChanges, type RowChange } from "../../api/connection/realtime.ts";

/**
 * Subscribes to row changes while the component is mounted. `onSubscribed` runs each time changes start to arrive: at
 * first and after each reconnect. Earlier reads may have missed changes, so read the data again there.
 */
export function useLiveRows<Row extends object>({
  channel,
  table,
  filter,
  isOff = false,
  onChange,
  onSubscribed,
}: {
  channel: string;
  table: string;
  filter?: string;
  /** Disables the subscription. */
  isOff?: boolean;
  onChange: (change: RowChange<Row>) => void;
  onSubscribed: (isFirst: boolean) => void;
}): void {
  const handleChange = useEffectEvent(onChange);
  const handleSubscribed = useEffectEvent(onSubscribed);
  useEffect(
    () =>
      isOff
        ? undefined
        : subscribeToChanges<Row>({
            channel,
            table,
            event: "*",
            filter,
            onChange: (change) => handleChange(change),
            onSubscribed: (isFirst) => handleSubscribed(isFirst),
          }),
    [channel, table, filter, isOff],
  );
}
