import { randomUUID } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { expect } from "vitest";
import { ClipmillError } from "#contract/errors.ts";
import type { SourceLink } from "#contract/sources/link-host.ts";
import { parseLink } from "#contract/sources/links.ts";
import type { SourceAccess, SourceFacts, SourceHost } from "#contract/sources/source-host.ts";
import { fetchSourceFile } from "#integrations/sources/save-source.ts";
import { createSourceGet } from "#integrations/sources/source-http.ts";

export type TestDownloads = {
  /** Downloads like a worker: metadata first. */
  fetch(address: string): Promise<{ facts: SourceFacts & { sizeBytes: number }; bytes: Buffer }>;
  describe(address: string): Promise<SourceFacts | null>;
  /** Also checks that no file is left. */
  failureOf(attempt: Promise<unknown>): Promise<ClipmillError>;
};

export function rejectSigning(): Promise<never> {
  return Promise.reject(new Error("This host must not sign requests."));
}

/** Downloads to an empty `folder`. Waits half a second for an unresponsive host. */
export function openTestDownloads(
  folder: string,
  host: SourceHost,
  access: Partial<Omit<SourceAccess, "get">>,
): TestDownloads {
  const whole = {
    baseUrls: {},
    privateSources: [],
    googleDriveKey: null,
    signS3: rejectSigning,
    openDropbox: rejectSigning,
    ...access,
  };
  const signal = new AbortController().signal;
  const stallSeconds = 0.5;
  const get = createSourceGet({ signal, stallSeconds });
  const describe = (link: SourceLink) => host.describe(link, { ...whole, get });
  return {
    describe: (address) => describe(parseLink(address)!),
    async fetch(address) {
      const link = parseLink(address)!;
      const facts = await describe(link);
      const toPath = path.join(folder, randomUUID());
      const options = { access: whole, facts, toPath, maxBytes: 10_000_000, signal, stallSeconds };
      const fetched = await fetchSourceFile(host, link, options);
      const bytes = await readFile(toPath);
      await rm(toPath);
      return { facts: fetched, bytes };
    },
    async failureOf(attempt) {
      const error = await attempt.then(
        () => null,
        (failure: unknown) => failure,
      );
      expect(error).toBeInstanceOf(ClipmillError);
      expect(await readdir(folder)).toEqual([]);
      return error as ClipmillError;
    },
  };
}
