import { once } from "node:events";
import { constants } from "node:fs";
import { type FileHandle, mkdir, open, readdir, rename, rmdir, stat, unlink, writeFile } from "node:fs/promises";
import type { AddressInfo, Socket } from "node:net";
import path from "node:path";
import ssh2, { type Attributes, type AuthContext, type Connection, type SFTPWrapper } from "ssh2";
import { fingerprintOf } from "#integrations/remote-stores/sftp/connect-sftp.ts";
import { makeSshKey } from "./make-ssh-key.ts";

export type SftpServer = {
  port: number;
  folder: string;
  fields: Record<string, string | number> & { kind: "sftp"; host: string; port: number };
  acceptedKey: string | null;
  /** Includes rejected sign-ins. */
  signIns: string[];
  /** Cuts the connection once, after this many written bytes; null never. */
  cutAfterBytes: number | null;
  /** How many of the next reads close the connection instead. */
  cutsReads: number;
  way: "normal" | "silent" | "garbage" | "noSftp" | "full" | "readOnly" | "noPosixRename";
  writtenBytes(): number;
  close(): Promise<void>;
};

const PASSWORD = "a-password";
const { STATUS_CODE, OPEN_MODE } = ssh2.utils.sftp;

/** Runs a real SSH server (package ssh2) with SFTP on 127.0.0.1. `folder` is the root and the user's home. */
export async function startSftpServer(folder: string): Promise<SftpServer> {
  const hostKey = makeSshKey();
  const parsed = ssh2.utils.parseKey(hostKey.public);
  if (parsed instanceof Error) throw parsed;
  const sockets = new Set<Socket>();
  let written = 0;
  const server = new ssh2.Server({ hostKeys: [hostKey.private] }, (client) => {
    client.on("error", () => {});
    client.on("authentication", (context) => (isAccepted(context) ? context.accept() : rejectSignIn(context)));
    client.on("ready", () => {
      client.on("session", (accept) => {
        const session = accept();
        session.on("sftp", (acceptSftp, reject) => {
          if (twin.way === "noSftp") reject();
          else serve(acceptSftp(), client);
        });
      });
    });
  });
  // Its own server, which is no net.Server.
  // oxlint-disable-next-line no-underscore-dangle -- it has no other access
  const net = (server as unknown as { _srv: import("node:net").Server })._srv;
  net.prependListener("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    socket.on("error", () => {});
    socket.on("close", () => sockets.delete(socket));
    if (twin.way === "garbage") socket.end("HTTP/1.1 400 Bad Request\r\n\r\n");
    if (twin.way === "silent") socket.cork();
  });

  function isAccepted(context: AuthContext): boolean {
    twin.signIns.push(context.method);
    if (context.username !== twin.fields["username"]) return false;
    if (context.method === "password") return context.password === PASSWORD;
    if (context.method !== "publickey" || twin.acceptedKey === null) return false;
    const key = ssh2.utils.parseKey(twin.acceptedKey);
    if (key instanceof Error) throw key;
    const isKey = Buffer.compare(context.key.data, key.getPublicSSH()) === 0;
    const isSigned = !context.signature || key.verify(context.blob!, context.signature, context.hashAlgo);
    return isKey && isSigned;
  }

  const real = (name: string) => path.join(folder, path.posix.normalize(`/${name}`));

  function serve(sftp: SFTPWrapper, client: Connection): void {
    const handles = new Map<number, FileHandle | string[]>();
    let count = 0;
    client.on("close", () => {
      for (const handle of handles.values()) if (!Array.isArray(handle)) void handle.close().catch(() => {});
    });
    const handleOf = (buffer: Buffer) => handles.get(buffer.readUInt32BE(0));
    function keep(value: FileHandle | string[]): Buffer {
      const buffer = Buffer.alloc(4);
      buffer.writeUInt32BE((count += 1), 0);
      handles.set(count, value);
      return buffer;
    }
    const reply = (id: number, work: () => Promise<unknown>) =>
      void work().then(
        () => sftp.status(id, STATUS_CODE.OK),
        (error: NodeJS.ErrnoException) => sftp.status(id, statusOf(error), error.message),
      );
    const fail = (id: number) => (error: NodeJS.ErrnoException) => sftp.status(id, statusOf(error), error.message);
    sftp.on("OPEN", (id, name, flags) => {
      const isWrite = (flags & OPEN_MODE.WRITE) !== 0;
      if (isWrite && twin.way === "readOnly")
        return sftp.status(id, STATUS_CODE.PERMISSION_DENIED, "Permission denied");
      open(real(name), modeOf(flags)).then((file) => sftp.handle(id, keep(file)), fail(id));
    });
    sftp.on("WRITE", (id, handle, offset, data) => {
      if (twin.way === "full") return sftp.status(id, STATUS_CODE.FAILURE, "No space left on device");
      written += data.length;
      if (twin.cutAfterBytes !== null && written >= twin.cutAfterBytes) {
        twin.cutAfterBytes = null;
        client.end();
        for (const socket of sockets) socket.destroy();
        return;
      }
      reply(id, () => (handleOf(handle) as FileHandle).write(data, 0, data.length, offset));
    });
    sftp.on("READ", (id, handle, offset, length) => {
      if (twin.cutsReads > 0) {
        twin.cutsReads -= 1;
        for (const socket of sockets) socket.destroy();
        return;
      }
      (handleOf(handle) as FileHandle).read(Buffer.alloc(length), 0, length, offset).then(({ bytesRead, buffer }) => {
        return bytesRead === 0 ? sftp.status(id, STATUS_CODE.EOF) : sftp.data(id, buffer.subarray(0, bytesRead));
      }, fail(id));
    });
    sftp.on("CLOSE", (id, handle) => {
      const file = handleOf(handle);
      handles.delete(handle.readUInt32BE(0));
      reply(id, async () => (Array.isArray(file) ? undefined : await file?.close()));
    });
    sftp.on("OPENDIR", (id, name) => {
      readdir(real(name)).then(
        (names) => sftp.handle(id, keep(names.map((one) => path.join(real(name), one)))),
        fail(id),
      );
    });
    sftp.on("READDIR", (id, handle) => {
      const names = handleOf(handle) as string[];
      if (names.length === 0) return sftp.status(id, STATUS_CODE.EOF);
      Promise.all(names.splice(0, 100).map(async (one) => ({ one, facts: await attributesOf(one) }))).then(
        (found) =>
          sftp.name(
            id,
            found.map(({ one, facts }) => ({ filename: path.basename(one), longname: one, attrs: facts })),
          ),
        fail(id),
      );
    });
    const sendFacts = (id: number, name: string) => {
      attributesOf(real(name)).then((facts) => sftp.attrs(id, facts), fail(id));
    };
    sftp.on("STAT", sendFacts);
    sftp.on("LSTAT", sendFacts);
    sftp.on("FSTAT", (id, handle) => {
      (handleOf(handle) as FileHandle).stat().then((facts) => sftp.attrs(id, toAttributes(facts)), fail(id));
    });
    sftp.on("REALPATH", (id, name) => {
      const whole = path.posix.normalize(`/${name}`);
      sftp.name(id, [{ filename: whole, longname: whole, attrs: {} as Attributes }]);
    });
    sftp.on("MKDIR", (id, name) => reply(id, () => mkdir(real(name))));
    sftp.on("RMDIR", (id, name) => reply(id, () => rmdir(real(name))));
    sftp.on("REMOVE", (id, name) => reply(id, () => unlink(real(name))));
    // Plain SFTP does not replace files.
    sftp.on("RENAME", (id, from, to) =>
      reply(id, async () => {
        await writeFile(real(to), "", { flag: "wx" });
        await rename(real(from), real(to));
      }),
    );
    sftp.on("EXTENDED", (id, name, data) => {
      if (name !== "posix-rename@openssh.com" || twin.way === "noPosixRename")
        return sftp.status(id, STATUS_CODE.OP_UNSUPPORTED);
      const length = data.readUInt32BE(0);
      const [from, to] = [data.toString("utf8", 4, 4 + length), data.toString("utf8", 8 + length)];
      reply(id, () => rename(real(from), real(to)));
    });
  }

  server.listen(0, "127.0.0.1");
  await once(net, "listening");
  const { port } = net.address() as AddressInfo;
  const twin: SftpServer = {
    port,
    folder,
    fields: {
      kind: "sftp",
      host: "127.0.0.1",
      port,
      username: "clipmill",
      sign_in: "password",
      password: PASSWORD,
      host_key_fingerprint: fingerprintOf(parsed.getPublicSSH()),
    },
    acceptedKey: null,
    signIns: [],
    cutAfterBytes: null,
    cutsReads: 0,
    way: "normal",
    writtenBytes: () => written,
    async close() {
      const closed = once(net, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return twin;
}

/** Converts OpenSSH's open flags to Node's. */
function modeOf(flags: number): number {
  const isWrite = (flags & OPEN_MODE.WRITE) !== 0;
  return (
    (isWrite ? ((flags & OPEN_MODE.READ) !== 0 ? constants.O_RDWR : constants.O_WRONLY) : constants.O_RDONLY) |
    ((flags & OPEN_MODE.CREAT) !== 0 ? constants.O_CREAT : 0) |
    ((flags & OPEN_MODE.TRUNC) !== 0 ? constants.O_TRUNC : 0)
  );
}

function rejectSignIn(context: AuthContext): void {
  context.reject(["password", "publickey"]);
}

function statusOf({ code }: NodeJS.ErrnoException): number {
  if (code === "ENOENT") return STATUS_CODE.NO_SUCH_FILE;
  return code === "EACCES" || code === "EPERM" ? STATUS_CODE.PERMISSION_DENIED : STATUS_CODE.FAILURE;
}

async function attributesOf(name: string): Promise<Attributes> {
  return toAttributes(await stat(name));
}

function toAttributes({ mode, uid, gid, size, atimeMs, mtimeMs }: Awaited<ReturnType<typeof stat>>): Attributes {
  const [atime, mtime] = [Number(atimeMs), Number(mtimeMs)].map((ms) => Math.floor(ms / 1000)) as [number, number];
  return { mode: Number(mode), uid: Number(uid), gid: Number(gid), size: Number(size), atime, mtime };
}
