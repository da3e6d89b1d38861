import type { Encoder, EncoderState } from "#contract/settings/system.ts";

/** Consecutive videos. A device may pass the short check and still fail at videos. */
const MAX_FAILURES = 3;

/** The configured encoder until it fails, then software until the next start. */
export type EncoderInUse = {
  state: () => EncoderState;
  /** Call after software has encoded a video at which the encoder failed. Resolves after another check. */
  noteFailure: (reason: string) => Promise<void>;
  noteSuccess: () => void;
};

type Options = {
  /** Software replaces the configured encoder. */
  onRejected: (reason: string) => void;
  /** One video had to be encoded in software. */
  onFailure?: (reason: string) => void;
  check: () => Promise<string | null>;
};

/** Never throws. */
export async function openEncoder(wanted: Encoder, { check, onRejected, onFailure }: Options): Promise<EncoderInUse> {
  let refusal: string | null = null;
  let failures = 0;
  let checking: Promise<void> | null = null;
  const reject = (reason: string): void => {
    if (refusal !== null) return;
    refusal = reason;
    onRejected(reason);
  };
  const checkAgain = async (): Promise<void> => {
    const reason = await check();
    if (reason !== null) reject(reason);
  };
  if (wanted !== "software") await checkAgain();
  return {
    state: () => ({ inUse: refusal === null ? wanted : "software", wanted, refusal }),
    async noteFailure(reason) {
      if (refusal !== null) return;
      failures += 1;
      onFailure?.(reason);
      if (failures >= MAX_FAILURES) reject(`It failed on ${MAX_FAILURES} videos in a row, most recently: ${reason}`);
      // Videos that fail at the same time share the check.
      else await (checking ??= checkAgain().finally(() => (checking = null)));
    },
    noteSuccess: () => (failures = 0),
  };
}
