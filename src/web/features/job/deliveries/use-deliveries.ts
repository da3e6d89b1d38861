import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Delivery, isOpenDelivery } from "#contract/destinations/deliveries.ts";
import { CallError } from "../../../api/functions/call-error.ts";
import { changeDelivery, deliverJob, listDeliveries, listDeliveryFiles } from "../../../api/functions/deliveries.ts";
import { createRefresher } from "../../../jobs/cache/refresh-soon.ts";
import { useLiveRows } from "../../../jobs/cache/use-live-rows.ts";
import { useToast } from "../../../ui/toasts/use-toast.ts";

/** A delivery changes with every file; batch the reads. */
const REFRESH_MS = 300;
/** A delivery can have 10,000 files. */
const FILES_MS = 3_000;

const keyOf = (jobId: string) => ["deliveries", jobId] as const;

export function useDeliveries(jobId: string) {
  const client = useQueryClient();
  const [refresher] = useState(() =>
    createRefresher(() => client.invalidateQueries({ queryKey: keyOf(jobId) }), REFRESH_MS),
  );
  useEffect(() => refresher.stop, [refresher]);
  useLiveRows<Delivery>({
    channel: `deliveries-${jobId}`,
    table: "deliveries",
    filter: `job_id=eq.${jobId}`,
    onChange: () => refresher.request(),
    onSubscribed: () => refresher.request(),
  });
  return useQuery({ queryKey: keyOf(jobId), queryFn: ({ signal }) => listDeliveries(jobId, signal) });
}

export function useDeliveryFiles({ id, status }: Pick<Delivery, "id" | "status">) {
  return useQuery({
    queryKey: ["delivery-files", id, status],
    queryFn: ({ signal }) => listDeliveryFiles(id, signal),
    placeholderData: keepPreviousData,
    refetchInterval: isOpenDelivery(status) && FILES_MS,
  });
}

/** Returns functions that show a toast and resolve to false on failure. */
export function useChangeDeliveries(jobId: string) {
  const client = useQueryClient();
  const toast = useToast();
  const attempt = async (act: () => Promise<Delivery>): Promise<boolean> => {
    try {
      await act();
      return true;
    } catch (error) {
      const reason = error instanceof CallError ? error.message : "Something went wrong. Try again.";
      toast.show({ title: "Error", description: reason, variant: "destructive" });
      return false;
    } finally {
      await client.invalidateQueries({ queryKey: keyOf(jobId) });
    }
  };
  return {
    deliver: (destinationId: string) => attempt(() => deliverJob(jobId, destinationId)),
    change: (id: string, action: "retry" | "cancel") => attempt(() => changeDelivery(id, action)),
  };
}
