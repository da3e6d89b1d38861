import { ClipmillError } from "#contract/errors.ts";
import { destinationHost } from "#contract/sources/cooldowns.ts";
import type { ComparedFile, DeliveryTarget, SentFile } from "#integrations/destinations/delivery-target.ts";
import type { ClaimedDelivery } from "#operations/deliveries/claim-delivery.ts";
import { numbered } from "#operations/deliveries/plan-files.ts";
import type { Contact } from "#operations/hosts/contact-host.ts";

const MAX_NUMBER = 1_000;

type Upload = {
  file: SentFile;
  targetPath: string;
  /** Lowercase paths of the delivery's own files. */
  taken: Set<string>;
  replaced?: ComparedFile | null;
  resume: () => string | null;
  onProgress: (resume: string | null) => Promise<void>;
  /** Called before each change of the name. */
  onRename: (targetPath: string) => Promise<void>;
};

/**
 * Skips a file that the destination already has. If another file has the name, appends a number. Throws ClipmillError.
 */
export async function sendUnderFreeName(
  {
    claim,
    target,
    signal,
    contact,
  }: { claim: ClaimedDelivery; target: DeliveryTarget; signal: AbortSignal; contact: Contact },
  { file, targetPath, taken, replaced = null, resume, onProgress, onRename }: Upload,
): Promise<void> {
  const host = destinationHost(claim.destination.id);
  const sendTo = (path: string) =>
    contact(host, async (onResponse) => {
      let held = await target.compare(path, file, signal);
      const isOurs = held === "other" && replaced && (await target.compare(path, replaced, signal)) === "same";
      const replaces = Boolean(isOurs);
      // An attempt interrupted after the last byte may have left older uploads.
      if (held === "same" && resume() !== null) await target.abandon(path, file, resume());
      if (held === "nothing" || replaces) {
        held = await target.send(path, file, { signal, replaces, resume: resume(), onProgress });
      }
      // Not at the first response: a destination that keeps failing mid-transfer must cool down.
      onResponse();
      return held === "same";
    });
  let path = targetPath;
  for (let number = 2; !(await sendTo(path)); number += 1) {
    if (number > MAX_NUMBER) {
      throw new ClipmillError(
        "conflict",
        "Too many other files at the destination have this name. Use another name pattern.",
      );
    }
    const next = numbered(targetPath, number);
    if (taken.has(next.toLowerCase())) continue;
    path = next;
    taken.add(path.toLowerCase());
    await onRename(path);
  }
}
