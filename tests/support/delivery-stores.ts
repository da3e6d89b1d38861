/** Services that files are delivered to, each over a connection that is cut. */
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import type { Destination } from "#contract/destinations/destinations.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { HostSettings } from "#operations/sources/host-settings.ts";
import { baseUrlsOf } from "./test-context.ts";
import { startDriveAccountTwin } from "./twins/stores/drive-account-twin.ts";
import { startDropboxApiTwin } from "./twins/stores/dropbox-api-twin.ts";
import { startPostizTwin } from "./twins/stores/postiz-twin.ts";
import { startSftpServer } from "./twins/stores/sftp-server.ts";

export type DeliveryStore = {
  /** Fields of its connection. */
  connection: object;
  place: Pick<Destination, "kind" | "place"> & Partial<Pick<Destination, "posting">>;
  /** False for a scheduler, which takes no manifests. */
  hasManifests?: boolean;
  hosts: Partial<HostSettings>;
  /** Cuts the connection during the next upload. */
  cut(): void;
  /** Checksums of all files, by name. Includes unfinished ones. */
  read(): Promise<Record<string, string>>;
  close(): Promise<void>;
};

/** Makes a store below a scratch folder. */
export const DELIVERY_STORES: Record<string, (folder: string) => Promise<DeliveryStore>> = {
  async SFTP(folder) {
    const home = await mkdtemp(path.join(folder, "sftp-"));
    const server = await startSftpServer(home);
    return {
      connection: { name: "SFTP", ...server.fields },
      place: { kind: "sftp", place: "" },
      hosts: { privateSources: [`127.0.0.1:${server.port}`] },
      cut: () => {
        server.cutAfterBytes = server.writtenBytes() + 2_000;
      },
      async read() {
        const entries = await readdir(home, { recursive: true, withFileTypes: true });
        const files = entries.filter((entry) => entry.isFile());
        const sums = files.map(
          async ({ parentPath, name }) => [name, sha256Of(await readFile(path.join(parentPath, name)))] as const,
        );
        return Object.fromEntries(await Promise.all(sums));
      },
      close: () => server.close(),
    };
  },
  async "Google Drive"() {
    const twin = await startDriveAccountTwin();
    let cuts = 0;
    return {
      connection: { name: "Drive", ...twin.fields },
      place: { kind: "drive", place: "root" },
      hosts: { baseUrls: { ...baseUrlsOf("http://127.0.0.1:9"), ...twin.environment } },
      cut: () => {
        cuts += 1;
        twin.faults.push({ path: "/upload/", answer: cuts % 2 === 0 ? "cut" : "cutAfter" });
      },
      read: async () => checksumsOf(twin.read()),
      close: () => twin.close(),
    };
  },
  async Dropbox() {
    const twin = await startDropboxApiTwin();
    let cuts = 0;
    return {
      connection: { name: "Dropbox", ...twin.fields },
      place: { kind: "dropbox", place: "" },
      hosts: { baseUrls: { ...baseUrlsOf("http://127.0.0.1:9"), ...twin.environment } },
      cut: () => {
        cuts += 1;
        twin.faults.push({ path: cuts % 2 === 0 ? "append_v2" : "finish", answer: "cutAfter" });
      },
      read: async () => checksumsOf(twin.read()),
      close: () => twin.close(),
    };
  },
  async Postiz() {
    const twin = await startPostizTwin();
    const [first] = twin.channels;
    let cuts = 0;
    return {
      connection: { name: "Postiz", ...twin.fields },
      place: {
        kind: "postiz",
        place: "",
        posting: { mode: "draft", channels: [{ id: first!.id, name: first!.name, service: first!.identifier }] },
      },
      hasManifests: false,
      hosts: { privateSources: [twin.authority] },
      cut: () => {
        cuts += 1;
        twin.faults.push({ method: "POST", path: cuts % 2 === 0 ? "/upload" : "/posts", answer: "cutAfter" });
      },
      // Two posts of a file would have the same name.
      read: async () =>
        Object.fromEntries(
          twin.posts.map(({ name, sha256 }, i) => [
            twin.posts.findIndex((post) => post.name === name) === i ? name : `${name} (again)`,
            sha256,
          ]),
        ),
      close: () => twin.close(),
    };
  },
};

/** Folders are null. */
function checksumsOf(files: Record<string, Buffer | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([name, bytes]) => (bytes ? [[path.basename(name), sha256Of(bytes)]] : [])),
  );
}
