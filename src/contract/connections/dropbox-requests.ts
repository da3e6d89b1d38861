/** Requests to Dropbox's API. They are authorized outside the contract, which has no credentials. */
import type { SourceAnswer } from "../sources/source-host.ts";

export type DropboxRequests = {
  /** The connection's name. */
  connection: string;
  /** Calls an endpoint with JSON. Returns answers of any status but 401. */
  ask(endpoint: string, input: unknown): Promise<SourceAnswer>;
  /** Downloads from an endpoint. Returns answers of any status but 401. */
  read(endpoint: string, input: unknown, headers: Record<string, string>): Promise<SourceAnswer>;
};
