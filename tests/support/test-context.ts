import path from "node:path";
import type { Database } from "#database/open-database.ts";
import { type ActorContext, TERMINAL } from "#operations/audit/write-audit.ts";
import type { Context, HostSettings } from "#operations/context.ts";
import { createLinkSigner } from "#operations/downloads/link-signer.ts";
import type { SourceBaseUrls } from "#contract/sources/source-host.ts";
import { SOURCE_SERVICES } from "#contract/sources/source-hosts.ts";
import { modelSettings } from "#contract/settings/models.ts";
import { createSecretBox } from "#operations/settings/secret-box.ts";
import { openQueue } from "#queue/open-queue.ts";
import { openTestDatabase } from "./servers/databases/database.ts";
import { openTestStorage, type OpenTestStorage, type TestStorage } from "./servers/storages.ts";

export const TEST_SECRET = "a secret for tests that is long enough";

export type TestContextOptions = {
  openDatabase?: (() => Promise<Database>) | undefined;
  openStorage?: OpenTestStorage | undefined;
  /** By default, nothing listens there. */
  openAiUrl?: string | undefined;
  /** Unreachable by default. */
  hosts?: Partial<HostSettings> | undefined;
  /** None by default. */
  privateWebhooks?: readonly string[] | undefined;
};

export function baseUrlsOf(url: string): SourceBaseUrls {
  return Object.fromEntries(SOURCE_SERVICES.map(({ variable }) => [variable, url]));
}

/** Unreachable sources, and no models besides OpenAI's. */
export const TEST_HOSTS: HostSettings = {
  baseUrls: baseUrlsOf("http://127.0.0.1:9"),
  privateSources: [],
  ytDlpPath: null,
  models: modelSettings(() => null),
};

/** Opens a database, a queue and storage in `folder`. `stack` closes them. */
export async function openTestContext(
  stack: AsyncDisposableStack,
  folder: string,
  {
    openDatabase = openTestDatabase,
    openStorage = openTestStorage,
    openAiUrl = "http://127.0.0.1:9/v1",
    hosts = {},
    privateWebhooks = [],
  }: TestContextOptions = {},
): Promise<{ database: Database; storage: TestStorage; context: Context & ActorContext }> {
  const database = await openDatabase();
  stack.defer(() => database.close());
  const queue = await openQueue(database, () => {});
  stack.defer(() => queue.stop());
  const storage = await openStorage(folder);
  stack.defer(() => storage.close());
  const context = {
    actor: TERMINAL,
    db: database.db,
    queue,
    storage: storage.storage,
    links: createLinkSigner(TEST_SECRET),
    secrets: createSecretBox(TEST_SECRET),
    openAi: { baseUrl: openAiUrl, model: "a-model" },
    hosts: { ...TEST_HOSTS, ...hosts },
    sourceFacts: new Map(),
    privateWebhooks,
    deliveryFolders: { deliveries: path.join(folder, "deliveries") },
  };
  return { database, storage, context };
}
