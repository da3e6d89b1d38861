import { chown, mkdtemp, stat } from "node:fs/promises";
import path from "node:path";
import type { Destination } from "#contract/destinations/destinations.ts";
import { sha256Of } from "#ground/checksum.ts";
import type { HostSettings } from "#operations/context.ts";
import { checksumsBelow } from "./deliveries.ts";
import { openCuttableLine } from "../faults/cuttable-line.ts";
import { type OpenSsh, sharedOpenSsh } from "../servers/openssh.ts";
import { baseUrlsOf } from "../test-context.ts";
import { startS3Server } from "../twins/s3-server.ts";
import { startDriveAccountTwin } from "../twins/stores/drive-account-twin.ts";
import { startDropboxApiTwin } from "../twins/stores/dropbox-api-twin.ts";
import { startPostizTwin } from "../twins/stores/postiz-twin.ts";
import { startSftpServer } from "../twins/stores/sftp-server.ts";

export type DeliveryStore = {
  connection: object;
  place: Pick<Destination, "kind" | "place"> & Partial<Pick<Destination, "posting">>;
  /** False for a scheduler, which accepts no manifests. */
  hasManifests?: boolean;
  hosts: Partial<HostSettings>;
  /** Cuts the connection during the next upload. */
  cut(): void;
  read(): Promise<Record<string, string>>;
  close(): Promise<void>;
};

function openSshStore({ port, username, privateKey, fingerprint, folder }: OpenSsh) {
  return async (): Promise<DeliveryStore> => {
    const line = await openCuttableLine(`http://127.0.0.1:${port}`);
    const near = new URL(line.url);
    const home = await mkdtemp(path.join(folder, "files-"));
    const { uid, gid } = await stat(folder);
    await chown(home, uid, gid);
    const signIn = { username, sign_in: "private_key", private_key: privateKey, host_key_fingerprint: fingerprint };
    return {
      connection: { name: "OpenSSH", kind: "sftp", host: near.hostname, port: Number(near.port), ...signIn },
      place: { kind: "sftp", place: home },
      hosts: { privateSources: [near.host] },
      cut: () => line.cutOnceAfter(2_000),
      read: async () => byName(await checksumsBelow(home)),
      close: () => line.close(),
    };
  };
}

function byName(sums: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(sums).map(([file, sha256]) => [path.basename(file), sha256]));
}

export async function openS3Store(): Promise<Omit<DeliveryStore, "cut">> {
  const server = await startS3Server();
  const endpoint = `http://127.0.0.1:${server.port}`;
  const keys = { access_key_id: "S3RVER", secret_access_key: "S3RVER", region: "us-east-1" };
  return {
    connection: { name: "S3", kind: "s3", endpoint, path_style: true, ...keys },
    place: { kind: "s3", place: server.location.bucket },
    hosts: { privateSources: [`127.0.0.1:${server.port}`] },
    // An open upload counts as a file.
    async read() {
      const left = (await server.openUploads()).map((key) => [key, "unfinished"]);
      const kept = Object.entries(await checksumsBelow(path.dirname(server.uploadsFolder))).flatMap(([name, sha256]) =>
        name.endsWith(OBJECT) ? [[path.basename(name, OBJECT), sha256]] : [],
      );
      return Object.fromEntries([...kept, ...left]);
    },
    close: () => server.close(),
  };
}

const OBJECT = "._S3rver_object";

export const DELIVERY_STORES: Record<string, (folder: string) => Promise<DeliveryStore>> = {
  ...(sharedOpenSsh && { OpenSSH: openSshStore(sharedOpenSsh) }),
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
      read: async () => byName(await checksumsBelow(home)),
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
        twin.faults.push({ path: "/upload/", response: cuts % 2 === 0 ? "cut" : "cutAfter" });
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
        twin.faults.push({ path: cuts % 2 === 0 ? "append_v2" : "finish", response: "cutAfter" });
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
        twin.faults.push({ method: "POST", path: cuts % 2 === 0 ? "/upload" : "/posts", response: "cutAfter" });
      },
      // Keeps both posts of a file that was posted twice.
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

function checksumsOf(files: Record<string, Buffer | null>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([name, bytes]) => (bytes ? [[path.basename(name), sha256Of(bytes)]] : [])),
  );
}
