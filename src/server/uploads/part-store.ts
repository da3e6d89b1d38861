import type { Readable } from "node:stream";
import { DataStore, Upload } from "@tus/server";
import { receivePart } from "#operations/library/resumable/receive-part.ts";
import { RESUMABLE_MS } from "#operations/library/resumable/resumable-uploads.ts";
import type { UploadIntake } from "#operations/library/upload-intake.ts";

/** The server's hooks check owners and create uploads. */
export class PartStore extends DataStore {
  readonly #intake: UploadIntake;

  constructor(intake: UploadIntake) {
    super();
    this.#intake = intake;
    this.extensions = ["creation", "termination", "expiration"];
  }

  override async getUpload(id: string): Promise<Upload> {
    const { resumable } = this.#intake;
    const { sizeBytes } = resumable.find(id);
    const offset = await resumable.receivedBytes(id);
    // The server counts expiry from creation; ours counts from the last byte.
    return new Upload({ id, size: sizeBytes, offset, creation_date: new Date(resumable.touchedMs(id)).toISOString() });
  }

  override async write(body: Readable, id: string): Promise<number> {
    const offset = await receivePart(this.#intake, id, body);
    // Bytes beyond the end are an error of `body`.
    for await (const _ of body) continue;
    return offset;
  }

  override async remove(id: string): Promise<void> {
    await this.#intake.resumable.remove(id);
  }

  override getExpiration(): number {
    return RESUMABLE_MS;
  }
}
