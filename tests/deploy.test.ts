/** Checks Dockerfile, compose.yaml, the unit of systemd, and the files for proxies and Prometheus, without a container engine. */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { readConfig } from "../src/config.ts";
import { parse, stringify } from "yaml";

const ROOT = path.resolve(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");

type Service = {
  image: string;
  env_file?: { path: string; required: boolean }[];
  command?: string[];
  environment?: Record<string, string>;
  healthcheck?: { test: string[] };
  volumes?: string[];
  depends_on?: Record<string, object>;
  ports?: string[];
};
type Fleet = { services: Record<string, Service>; volumes: Record<string, null> };

const fleet = parse(read("compose.yaml"), { merge: true }) as Fleet;
const own = Object.entries(fleet.services).filter(([, { image }]) => image === "clipmill");
const CADDY = "caddy";
const PROMTOOL = "promtool";
/** Read by the S3 client, not by Clipmill's configuration. */
const OF_THE_S3_CLIENT = ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"];

describe("compose.yaml", () => {
  it("starts two servers, three workers and a redirector with existing commands", () => {
    expect(own.map(([name, { command }]) => `${name}: ${command?.join(" ")}`)).toEqual([
      "server-1: server",
      "server-2: server",
      "worker-1: worker",
      "worker-2: worker",
      "worker-3: worker",
      "redirector: redirector",
    ]);
    const commands = read("src/commands/program-commands.ts");
    for (const [, { command }] of own) expect(commands).toContain(`.command("${command![0]}"`);
  });

  it("sets only variables that the configuration or the S3 client reads", () => {
    const names = new Set(own.flatMap(([, { environment }]) => Object.keys(environment ?? {})));
    const known = [...read("src/config.ts").matchAll(/^ {2}([A-Z][A-Z_0-9]+): /gm)].map(([, name]) => name);
    expect(known.length).toBeGreaterThan(20);
    expect([...names].filter((name) => !OF_THE_S3_CLIENT.includes(name))).not.toHaveLength(0);
    for (const name of names) expect([...known, ...OF_THE_S3_CLIENT]).toContain(name);
  });

  it("passes every other variable on to servers and workers", () => {
    const passing = own.filter(([, { env_file }]) => env_file?.some(({ path }) => path === "deploy/settings.env"));
    expect(passing.map(([name]) => name)).toEqual(own.map(([name]) => name).filter((name) => name !== "redirector"));
    expect(passing.flatMap(([, { env_file }]) => env_file).map((file) => file?.required)).not.toContain(true);
  });

  it("takes all secrets from a file whose example lists every name", () => {
    const needed = [...read("compose.yaml").matchAll(/\$\{([A-Z_]+)(:[?-][^}]*)?\}/g)];
    const given = [...read("deploy/fleet.env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);
    expect(new Set(given)).toEqual(new Set(needed.map(([, name]) => name)));
    // All others are required for a start.
    const optional = needed.filter(([, , rest]) => rest?.startsWith(":-")).map(([, name]) => name);
    expect(new Set(optional)).toEqual(new Set(["METRICS_TOKEN", "SMTP_URL", "MAIL_FROM", "WORKER_CONCURRENCY"]));
    expect(read("compose.yaml")).not.toMatch(/(?:SECRET|PASSWORD|TOKEN|KEY)\w*: [^$\n]/);
  });

  it("gives each program its own volume and declares all volumes", () => {
    const used = Object.values(fleet.services)
      .flatMap(({ volumes }) => volumes ?? [])
      .map((volume) => volume.split(":")[0]!)
      .filter((volume) => !volume.startsWith("."));
    expect(new Set(used).size).toBe(used.length);
    expect(new Set(used)).toEqual(new Set(Object.keys(fleet.volumes)));
    const files = Object.values(fleet.services).flatMap(({ volumes }) => volumes ?? []);
    for (const file of files.filter((volume) => volume.startsWith("./"))) {
      expect(existsSync(path.join(ROOT, file.split(":")[0]!))).toBe(true);
    }
  });

  it("depends only on existing services and has health checks that Node.js can parse", async () => {
    const services = Object.values(fleet.services);
    const awaited = services.flatMap(({ depends_on }) => Object.keys(depends_on ?? {}));
    expect(Object.keys(fleet.services)).toEqual(expect.arrayContaining(awaited));
    const scripts = services.map(({ healthcheck }) => healthcheck?.test).filter((test) => test?.[2] === "--eval");
    // The other services use the image's health check.
    expect(own.filter(([, { healthcheck }]) => healthcheck).map(([name]) => name)).toEqual(["redirector"]);
    expect(scripts).toHaveLength(1);
    for (const script of scripts) await checkScript(script![3]!.replaceAll("$$", "$"));
  });
});

describe("the Dockerfile", () => {
  const text = read("Dockerfile");

  it("copies existing files that .dockerignore includes", () => {
    const sources = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) => files!.split(" "));
    expect(sources.length).toBeGreaterThan(5);
    const sent = read(".dockerignore").split("\n");
    for (const source of sources) {
      expect(existsSync(path.join(ROOT, source))).toBe(true);
      expect(sent).toContain(`!${source}`);
    }
  });

  it("checks /ready on the port that servers and workers use", async () => {
    const given = [...text.matchAll(/ (HOST|METRICS_PORT|PORT)=(\S+)/g)].map(([, name, value]) => [name, value]);
    const config = readConfig(Object.fromEntries(given) as Record<string, string>);
    const asked = new URL(/fetch\('([^']+)'\)/.exec(text)![1]!);
    expect(asked.pathname).toBe("/ready");
    expect([config.HOST, config.PORT, config.METRICS_PORT]).toEqual([
      "0.0.0.0",
      Number(asked.port),
      Number(asked.port),
    ]);
  });

  it("runs as a non-root user and finds the bundled programs", async () => {
    expect(text).toMatch(/^USER clipmill$/m);
    for (const [file] of text.matchAll(/node_modules\/[\w@/-]+/g)) expect(existsSync(path.join(ROOT, file))).toBe(true);
    const script = /"--eval", "(.+)"\]/.exec(text)![1]!;
    await expect(checkScript(script)).resolves.toBeUndefined();
  });
});

describe("the Caddyfiles", () => {
  it.for(["Caddyfile", "fleet.Caddyfile"])("Caddy accepts %s", async (name, context) => {
    const caddy = await execa(CADDY, ["version"], { reject: false });
    context.skip(caddy.failed, "Caddy is not installed.");
    const file = path.join(ROOT, "deploy", name);
    await expect(execa(CADDY, ["validate", "--adapter", "caddyfile", "--config", file])).resolves.toBeDefined();
  });

  it("routes the app's requests to the servers and all others to the redirector", () => {
    const text = read("deploy/fleet.Caddyfile");
    const named = [...text.matchAll(/\{\$[A-Z]+:([^}]+)\}/g)].flatMap(([, names]) => names!.split(" "));
    const hosts = named.filter((name) => name.includes(":")).map((name) => name.split(":")[0]!);
    expect(new Set(hosts)).toEqual(new Set(["server-1", "server-2", "redirector"]));
  });
});

describe("nginx.conf", () => {
  it("nginx accepts it", async (context) => {
    const nginx = await execa("nginx", ["-v"], { reject: false });
    context.skip(nginx.failed, "nginx is not installed.");
    const folder = await makeScratchFolder();
    await makeCertificate(folder);
    await writeFile(path.join(folder, "site.conf"), withCertificate(read("deploy/nginx.conf"), folder));
    const main = path.join(folder, "nginx.conf");
    await writeFile(main, `pid ${folder}/pid; events {} http { include ${folder}/site.conf; }`);
    await expect(execa("nginx", ["-t", "-e", "stderr", "-c", main])).resolves.toBeDefined();
  });
});

describe("clipmill.service", () => {
  const unit = read("deploy/clipmill.service");

  it("starts an existing program, with time to stop", () => {
    const [, start] = /^ExecStart=(.+)$/m.exec(unit)!;
    const [node, script, command] = start!.split(" ").map((word) => word.replace("/opt/clipmill/", ""));
    for (const file of [node!, script!]) expect(existsSync(path.join(ROOT, file))).toBe(true);
    expect(command).toBe("start");
    expect(unit).toMatch(/^TimeoutStopSec=60$/m);
    expect(unit).toMatch(/^KillMode=mixed$/m);
  });

  it("systemd accepts it", async (context) => {
    const systemd = await execa("systemd-analyze", ["--version"], { reject: false });
    context.skip(systemd.failed, "systemd is not installed.");
    const file = path.join(await makeScratchFolder(), "clipmill.service");
    // The program is not in /opt here.
    await writeFile(
      file,
      unit.replace(/^ExecStart=.+$/m, `ExecStart=${process.execPath} start`).replace(/^User=.+$/m, ""),
    );
    await expect(execa("systemd-analyze", ["verify", file])).resolves.toBeDefined();
  });
});

async function makeCertificate(folder: string): Promise<void> {
  const subject = ["-subj", "/CN=clips.example.com", "-days", "2", "-nodes", "-newkey", "rsa:2048"];
  const files = ["-keyout", path.join(folder, "privkey.pem"), "-out", path.join(folder, "fullchain.pem")];
  await execa("openssl", ["req", "-x509", ...subject, ...files]);
}

function withCertificate(text: string, folder: string): string {
  return text.replaceAll("/etc/letsencrypt/live/clips.example.com", folder);
}

describe("deploy/monitoring", () => {
  const rules = path.join(ROOT, "deploy/monitoring/alerts.yaml");

  // tests/fleet/monitoring.test.ts compares the metrics with those of running programs.
  it("Prometheus accepts the alert rules, their tests and the dashboard's queries", async (context) => {
    const promtool = await execa(PROMTOOL, ["--version"], { reject: false });
    context.skip(promtool.failed, "promtool is not installed.");
    const { stdout } = await execa(PROMTOOL, ["check", "rules", rules]);
    expect(stdout).toContain("SUCCESS: 9 rules found");
    await execa(PROMTOOL, ["test", "rules", rules.replace(/yaml$/, "test.yaml")]);
    const queries = [...read("deploy/monitoring/dashboard.json").matchAll(/"expr": ("(?:[^"\\]|\\.)*")/g)];
    const recorded = queries.map(([, expr], i) => ({
      record: `query_${i}`,
      expr: (JSON.parse(expr!) as string).replaceAll("$__rate_interval", "5m"),
    }));
    expect(recorded.length).toBeGreaterThan(20);
    const file = path.join(await makeScratchFolder(), "queries.yaml");
    await writeFile(file, stringify({ groups: [{ name: "dashboard", rules: recorded }] }));
    await expect(execa(PROMTOOL, ["check", "rules", file])).resolves.toBeDefined();
  });
});

async function checkScript(script: string): Promise<void> {
  await execa(process.execPath, ["--check", "--input-type=commonjs", "-"], { input: script });
}
