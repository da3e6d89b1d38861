import type { FileHandle } from "node:fs/promises";
import { ClipmillError } from "#contract/errors.ts";
import type { SourceAnswer } from "#contract/sources/source-host.ts";
import { explainFullDisk } from "#ground/disk-space.ts";
import { hasCode } from "#ground/error-code.ts";
import { explainNetworkError } from "../guarded-fetch.ts";

type Receiving = {
  service: string;
  signal: AbortSignal;
  /** In `file`, in bytes. */
  position: number;
  atMostBytes: number;
};

/**
 * Writes the first `atMostBytes` to `file`, closes the connection if more follow, and returns the number of bytes.
 * Throws ClipmillError "incomplete" for an interrupted transfer, "network" for a stalled one, "no_space" and
 * "cancelled".
 */
export async function receiveRange(answer: SourceAnswer, file: FileHandle, receiving: Receiving): Promise<number> {
  const { position, atMostBytes } = receiving;
  let received = 0;
  try {
    for await (const chunk of bodyOf(answer, receiving)) {
      const wanted = Math.min(chunk.length, atMostBytes - received);
      await file.write(chunk, 0, wanted, position + received);
      received += wanted;
      if (received === atMostBytes) break;
    }
    return received;
  } catch (error) {
    throw explainFullDisk(error);
  } finally {
    answer.body.destroy();
  }
}

async function* bodyOf(answer: SourceAnswer, { service, signal }: Receiving): AsyncGenerator<Uint8Array> {
  try {
    yield* answer.body;
  } catch (error) {
    if (signal.aborted || hasCode(error, "UND_ERR_BODY_TIMEOUT")) throw explainNetworkError(error, { service, signal });
    throw incomplete(service);
  }
}

export function incomplete(service: string): ClipmillError {
  return new ClipmillError("incomplete", `${service} sent only part of this file. Retry later.`);
}
