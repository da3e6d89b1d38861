import type { HostSettings } from "#operations/context.ts";
import { startDropboxTwin } from "./dropbox-twin.ts";
import { startDriveTwin } from "./google-drive/google-drive-twin.ts";
import { startOneDriveTwin } from "./onedrive-twin.ts";
import { startWebTwin } from "./web-twin.ts";

/** An unused box at the end makes a file larger than the part that a check reads. */
const PADDING_BYTES = 1_000_000;

export type FiveKinds = {
  environment: Record<string, string>;
  hosts: Pick<HostSettings, "baseUrls" | "privateSources">;
  /** Adds a video to each of the four hosts; every index from 1 has its own content. */
  addGood(index: number, name: (host: string) => string): string[];
  /** Adds nine videos, each with another problem. Returns their links with the expected messages. */
  addBad(): Map<string, RegExp>;
  /** Counts complete downloads by address or id. */
  wholeDownloads(): Map<string, number>;
  close(): Promise<void>;
};

export const FIVE_KINDS_HOSTS = ["web", "dropbox", "onedrive"];

export async function startFiveKinds(bytes: Buffer): Promise<FiveKinds> {
  const [drive, dropbox, oneDrive, web] = await Promise.all([
    startDriveTwin(),
    startDropboxTwin(),
    startOneDriveTwin(),
    startWebTwin(),
  ]);
  const services = { ...drive.environment, ...dropbox.environment, ...oneDrive.environment };
  return {
    environment: { ...services, ALLOW_PRIVATE_SOURCES: web.authority },
    hosts: { baseUrls: services, privateSources: [web.authority] },
    addGood(index, name) {
      const unused = Buffer.alloc(PADDING_BYTES, index);
      unused.writeUInt32BE(PADDING_BYTES);
      unused.write("free", 4, "latin1");
      const own = Buffer.concat([bytes, unused]);
      drive.add({ id: `clip-${index}`, name: name("drive"), mimeType: "video/mp4", bytes: own });
      return [
        drive.links(`clip-${index}`),
        dropbox.add(`box${index}`, name("dropbox"), { bytes: own }),
        oneDrive.add(`one${index}`, { name: name("onedrive"), bytes: own }),
        web.add(`/${name("web")}`, { bytes: own }),
      ];
    },
    addBad() {
      const text = Buffer.from("This is not a video. ".repeat(100));
      const bad = { mimeType: "video/mp4", bytes };
      drive.add({ id: "hidden", name: "hidden.mp4", ...bad, behaviour: { kind: "notShared" } });
      drive.add({ id: "quota", name: "quota.mp4", ...bad, behaviour: { kind: "quotaExceeded" } });
      drive.add({ id: "text", name: "text.mp4", mimeType: "video/mp4", bytes: text });
      return new Map([
        [drive.links("hidden"), /Share it with "Anyone with the link"/],
        [drive.links("quota"), /Use a copy of the file/],
        [drive.links("text"), /not a video|no video|not.*video/i],
        [drive.links("missing"), /Google Drive has no file at this link/],
        [web.add("/page.mp4", { behaviour: { kind: "page" } }), /Use the address of the file itself/],
        [`${web.url}/gone.mp4`, /has no file at this address/],
        [dropbox.add("deleted", "deleted.mp4", { bytes, behaviour: "deleted" }), /Dropbox/],
        [oneDrive.add("private", { name: "private.mp4", bytes, behaviour: "private" }), /OneDrive/],
        ["https://clipmill.local/file/d/gone", /no longer in the Clipmill library/],
      ]);
    },
    wholeDownloads() {
      const requests = [
        ...drive.requests
          .filter(({ path: asked }) => asked === "/download")
          .map(({ query, range }) => [query.get("id")!, range]),
        ...dropbox.requests
          .filter(({ path: asked }) => asked.startsWith("/cd/"))
          .map((one) => [one.path.replace(/^.*get\/\d+/, ""), one.range]),
        ...oneDrive.requests
          .filter(({ path: asked }) => asked.startsWith("/content/"))
          .map((one) => [one.path, one.range]),
        ...web.requests.map((one) => [one.path, one.headers.range ?? null]),
      ] as [string, string | null][];
      const counts = new Map<string, number>();
      for (const [file, range] of requests) if (range === null) counts.set(file, (counts.get(file) ?? 0) + 1);
      return counts;
    },
    async close() {
      for (const twin of [drive, dropbox, oneDrive, web]) await twin.close();
    },
  };
}
