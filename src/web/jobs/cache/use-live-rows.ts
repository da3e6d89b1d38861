import { useEffect, useEffectEvent } from "react";
import { subscribeToChanges, type RowChange } from "../../api/connection/realtime.ts";

/**
 * Listens for changes of rows while the component is there. `onSubscribed` runs whenever changes begin to arrive, the
 * first time and after each lost connection: what was read before that may have missed some, so read it again there.
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
  /** Listens to nothing. */
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
