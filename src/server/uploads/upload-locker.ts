import type { Locker } from "@tus/server";
import type { ResumableUploads } from "#operations/library/resumable/resumable-uploads.ts";

const BUSY = {
  status_code: 423,
  body: "This file is being uploaded in another tab or program. Wait for it to finish, then try again.",
};

type Holder = { requestRelease: () => void; released: PromiseWithResolvers<void> };

/**
 * One request at a time may write an upload. Others get 423 while it sends data; a stalled one, whose sender has
 * probably lost the connection, is replaced. DELETE always replaces; HEAD only reads.
 */
export function createUploadLocker(uploads: Pick<ResumableUploads, "isSilent">): {
  lockerFor: (request: { method: string }) => Locker;
  isLocked: (id: string) => boolean;
} {
  const holders = new Map<string, Holder>();
  const lockerFor = ({ method }: { method: string }): Locker => ({
    newLock(id) {
      let own: Holder | null = null;
      return {
        async lock(_signal, requestRelease) {
          const holder = holders.get(id);
          if (holder && method !== "DELETE" && !uploads.isSilent(id)) throw BUSY;
          if (method === "HEAD") return;
          if (holder) {
            holder.requestRelease();
            await holder.released.promise;
            if (holders.has(id)) throw BUSY;
          }
          own = { requestRelease: () => void requestRelease(), released: Promise.withResolvers() };
          holders.set(id, own);
        },
        async unlock() {
          if (!own) return;
          holders.delete(id);
          own.released.resolve();
        },
      };
    },
  });
  return { lockerFor, isLocked: (id) => holders.has(id) };
}
