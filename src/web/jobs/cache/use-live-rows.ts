import { useEffect, useEffectEvent } from "react";
import { subscribeToChanges, type RowChange } from "../../api/connection/realtime.ts";

/** `onSubscribed` runs initially and after each reconnect: refetch then, as earlier reads may have missed changes. */
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
