/**
 * Validates what the chart renders against the published schemas of Kubernetes and KEDA, and against the code. Runs the
 * chart itself if there is a helm.
 */
import { existsSync, readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { execa } from "execa";
import { ScaledJob, TriggerAuthentication } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { Deployment } from "kubernetes-models/apps/v1";
import { Job } from "kubernetes-models/batch/v1";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Secret, Service } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments, stringify } from "yaml";
import { makeScratchFolder } from "#tests/support/scratch-folder.ts";
import { CHART, renderChart } from "../dev/tools/render-chart.ts";
import { readConfig } from "../src/config.ts";

const ROOT = path.resolve(import.meta.dirname, "..");
const read = (file: string): string => readFileSync(path.join(ROOT, file), "utf8");
/** From `npm run test:servers`. */
const helm = process.env["TEST_HELM"];

type Manifest = { apiVersion: string; kind: string; metadata: { name: string }; spec: Record<string, unknown> };
type Container = { args: string[]; env?: { name: string; value?: string }[]; ports: { containerPort: number }[] };
type Template = { spec: { containers: Container[] } };

const readManifests = (text: string): Manifest[] =>
  parseAllDocuments(text).map((document) => document.toJS() as Manifest);
const rendered = read("deploy/kubernetes/clipmill.yaml");
const manifests = readManifests(rendered);
const MODELS = [
  ...[Deployment, Service, ConfigMap, Secret, Ingress, NetworkPolicy, PodDisruptionBudget],
  ...[ScaledJob, TriggerAuthentication],
];

const named = (all: Manifest[], kind: string, name: string): Manifest =>
  all.find((manifest) => manifest.kind === kind && manifest.metadata.name === name)!;
const workerSpec = named(manifests, "ScaledJob", "clipmill-worker").spec as {
  triggers: { metadata: { query: string; targetQueryValue: string } }[];
  jobTargetRef: { template: Template };
};
const templates = [
  ...["clipmill-server", "clipmill-redirector"].map(
    (name) => named(manifests, "Deployment", name).spec["template"] as Template,
  ),
  workerSpec.jobTargetRef.template,
];

/** Returns the paths of fields that the model's validator does not read. */
function findUnknown(model: { validate(): void }): string[] {
  const unread = new Set<string>();
  const watch = (of: object, at: string): object => {
    for (const [key, inner] of Object.entries(of)) {
      unread.add(`${at}/${key}`);
      if (typeof inner === "object" && inner !== null) Object.assign(of, { [key]: watch(inner, `${at}/${key}`) });
    }
    return new Proxy(of, {
      get(target, key) {
        unread.delete(`${at}/${String(key)}`);
        return Reflect.get(target, key) as unknown;
      },
    });
  };
  (watch(model, "") as typeof model).validate();
  return [...unread];
}

const problemsOf = (manifest: Manifest): string[] => {
  const Model = MODELS.find(({ apiVersion, kind }) => apiVersion === manifest.apiVersion && kind === manifest.kind)!;
  return findUnknown(new Model(manifest as never));
};

it.each(manifests)("renders a valid $kind $metadata.name, without unknown fields", (manifest) => {
  expect(problemsOf(manifest)).toEqual([]);
});

it("finds misspelled fields and wrong types", () => {
  const job = {
    apiVersion: "batch/v1",
    kind: "Job",
    spec: { backOffLimit: 1, template: { spec: { containers: [] } } },
  };
  expect(findUnknown(new Job(job as never))).toEqual(["/spec/backOffLimit"]);
  expect(() => new Job({ spec: { backoffLimit: "1", template: {} } } as never).validate()).toThrow(/backoffLimit/);
});

/** Objects with keys that no schema lists, such as names of variables. Keys of labels have a slash. */
const FREE = /^data$|\/(limits|requests)$|^spec\/triggers\/\d+\/metadata$/;

/** Returns copies of the manifest, by the field that is misspelled in each. */
function misspell(manifest: Manifest): Record<string, Manifest> {
  const copies: Record<string, Manifest> = {};
  const visit = (of: object, path: string[]): void => {
    for (const [key, inner] of Object.entries(of) as [string, unknown][]) {
      const at = [...path, key];
      if (!Array.isArray(of) && !key.includes("/") && !FREE.test(path.join("/"))) {
        const copy = structuredClone(manifest) as unknown as Record<string, unknown>;
        const parent = path.reduce((each, step) => each[step] as Record<string, unknown>, copy);
        parent[`${key}s`] = parent[key];
        delete parent[key];
        copies[at.join("/")] = copy as unknown as Manifest;
      }
      if (typeof inner === "object" && inner !== null) visit(inner, at);
    }
  };
  const { apiVersion: _version, kind: _kind, ...fields } = manifest;
  visit(fields, []);
  return copies;
}

const isRejected = (manifest: Manifest): boolean => {
  try {
    return problemsOf(manifest).length > 0;
  } catch {
    return true;
  }
};

it.each(manifests)("finds every misspelled field of $kind $metadata.name", (manifest) => {
  const copies = Object.entries(misspell(manifest));
  expect(copies.length).toBeGreaterThan(3);
  expect(copies.filter(([, copy]) => !isRejected(copy)).map(([field]) => field)).toEqual([]);
});

it("starts commands that exist, on the image's ports and as its user", () => {
  const commands = read("src/commands/program-commands.ts");
  const image = read("Dockerfile");
  for (const { spec } of templates) {
    const { args, ports } = spec.containers[0]!;
    expect(commands).toContain(`.command("${args[0]}")`);
    for (const option of args.slice(1)) expect(commands).toContain(`.option("${option}"`);
    expect(image).toMatch(new RegExp(`^EXPOSE .*\\b${ports[0]!.containerPort}\\b`, "m"));
    expect(spec).toMatchObject({ securityContext: { runAsUser: 10001, runAsNonRoot: true } });
    expect(spec.containers[0]).toMatchObject({ securityContext: { readOnlyRootFilesystem: true } });
  }
  expect(image).toContain("--uid 10001");
});

it("has settings that the configuration accepts, and no secrets", () => {
  const { data } = named(manifests, "ConfigMap", "clipmill") as unknown as { data: Record<string, string> };
  expect(readConfig({ ...data, DATA_DIR: "/data" })).toMatchObject({
    STORAGE_URL: { bucket: "clipmill" },
    PUBLIC_URL: "https://clipmill.example.com",
    VPS_SYNC_URL: expect.stringMatching(/_clipmill\/publish$/),
  });
  expect(Object.keys(data).filter((name) => /SECRET|PASSWORD|TOKEN|KEY|DATABASE/.test(name))).toEqual([]);
  expect(manifests.map(({ kind }) => kind)).not.toContain("Secret");
  expect(manifests.map(({ kind }) => kind)).not.toContain("PersistentVolumeClaim");
});

it("scales the worker by the queue's load, at as many tasks per worker as it runs at the same time", () => {
  const { query, targetQueryValue } = workerSpec.triggers[0]!.metadata;
  expect(query).toBe("select queue_load()");
  const { env } = workerSpec.jobTargetRef.template.spec.containers[0]!;
  expect(env).toContainEqual({ name: "WORKER_CONCURRENCY", value: targetQueryValue });
});

async function render(values: object): Promise<Manifest[]> {
  return readManifests(await renderChart(helm!, values));
}

const PLACEMENT = { nodeSelector: { disk: "ssd" }, tolerations: [{ key: "spot", operator: "Exists" }] };
const RESOURCES = { resources: { requests: { cpu: "3" }, limits: { memory: "3Gi" } }, dataSize: "3Gi" };
const INGRESS = { className: "nginx", tlsSecretName: "tls", annotations: { "example.com/size": "0" } };
const WORKER = { ...RESOURCES, ...PLACEMENT, labels: "eu", concurrency: 2, maxReplicas: 3, pollingSeconds: 6 };
const GPU = {
  ...{ labels: "gpu,eu", concurrency: 3, maxReplicas: 4, pollingSeconds: 7, dataSize: "4Gi" },
  ...{ resources: { limits: { "nvidia.com/gpu": 1 } }, nodeSelector: { accelerator: "nvidia" }, tolerations: [] },
};

/** Another value for each that the chart has. */
const EVERYTHING = {
  image: { repository: "registry.test/clipmill", tag: "1.2.3", pullPolicy: "Always" },
  imagePullSecrets: [{ name: "registry" }],
  serviceAccountName: "bucket",
  secret: { name: "variables", create: true, data: { APP_SECRET: "secret" } },
  config: { OIDC_ISSUER: "https://sign-in.test" },
  server: { ...RESOURCES, ...PLACEMENT, replicas: 3 },
  ingress: { ...INGRESS, enabled: true, host: "clips.test" },
  workers: { gpu: GPU },
  workerDefaults: WORKER,
  volumes: [{ name: "nas", nfs: { server: "nas", path: "/" } }],
  volumeMounts: [{ name: "nas", mountPath: "/mnt" }],
  redirector: { ...RESOURCES, ...PLACEMENT, enabled: true, ingress: { ...INGRESS, hosts: ["a.test", "b.test"] } },
  networkPolicy: { enabled: true, monitoringNamespace: "prometheus" },
};

type Values = { [name: string]: unknown };
type ValuesSchema = {
  properties?: Record<string, ValuesSchema>;
  additionalProperties?: ValuesSchema | boolean;
  $ref?: string;
};

const isObject = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Returns the paths of all values that `values.schema.json` has, with `gpu` for a group of workers. */
function pathsOf({ $ref, properties, additionalProperties }: ValuesSchema, root: Values): string[][] {
  if ($ref !== undefined) return pathsOf((root["definitions"] as Values)[$ref.split("/").at(-1)!] as Values, root);
  const group = isObject(additionalProperties) && "$ref" in additionalProperties && { gpu: additionalProperties };
  const inner = Object.entries({ ...properties, ...group });
  if (inner.length === 0) return [[]];
  return inner.flatMap(([name, schema]) => pathsOf(schema, root).map((rest) => [name].concat(rest)));
}

/** Turns a switch around, and removes other values, which leaves the chart's default. */
function withOther(values: Values, [name, ...rest]: string[]): Values {
  const { [name!]: value, ...others } = values;
  if (rest.length > 0) return { ...others, [name!]: withOther(value as Values, rest) };
  return typeof value === "boolean" ? { ...others, [name!]: !value } : others;
}

describe.skipIf(helm === undefined)("the chart", () => {
  it("passes helm lint, and renders what is in deploy/kubernetes", async () => {
    await expect(execa(helm!, ["lint", "--strict", CHART])).resolves.toBeDefined();
    expect(await renderChart(helm!)).toBe(rendered);
  });

  it("passes on every documented variable, and rejects secrets in the ConfigMap", async () => {
    const names = [...read(".env.example").matchAll(/^#([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name!);
    expect(names.length).toBeGreaterThan(50);
    const secrets = names.filter((name) => /SECRET|_PASSWORD|_TOKEN$|_KEY|_HEADERS|DATABASE|SMTP_URL/.test(name));
    for (const name of secrets) await expect(render({ config: { [name]: "value" } })).rejects.toThrow(name);
    const others = Object.fromEntries(names.filter((name) => !secrets.includes(name)).map((name) => [name, "value"]));
    const data = Object.fromEntries(secrets.map((name) => [name, "value"]));
    const all = await render({ config: others, secret: { create: true, data } });
    expect(named(all, "ConfigMap", "clipmill")).toMatchObject({ data: others });
    expect(named(all, "Secret", "clipmill")).toMatchObject({ stringData: data });
    for (const manifest of all) expect(problemsOf(manifest)).toEqual([]);
  });

  it("renders valid manifests with each of its values, all of which have an effect", async () => {
    const schema = JSON.parse(read("deploy/helm/clipmill/values.schema.json")) as Values;
    const paths = pathsOf(schema, schema).filter((path) => path[0] !== "global");
    expect(paths.length).toBeGreaterThan(45);
    const everything = await render(EVERYTHING);
    for (const manifest of everything) expect(problemsOf(manifest)).toEqual([]);
    const rendered = await Promise.all(
      paths.map(async (path) => [path.join("."), await render(withOther(EVERYTHING, path))] as const),
    );
    for (const [path, all] of rendered) expect([path, all.flatMap(problemsOf)]).toEqual([path, []]);
    const withoutEffect = rendered.filter(([, all]) => isDeepStrictEqual(all, everything));
    expect(withoutEffect.map(([path]) => path)).toEqual([]);
  });

  it("renders a misspelled field that only the API's schema finds", async () => {
    const all = await render({ server: { resources: { limit: { memory: "3Gi" } } } });
    expect(problemsOf(named(all, "Deployment", "clipmill-server"))).toEqual([
      "/spec/template/spec/containers/0/resources/limit",
      "/spec/template/spec/containers/0/resources/limit/memory",
    ]);
  });

  it("renders groups of workers, domains of the redirector, and one server without a disruption budget", async () => {
    const all = await render({ ...EVERYTHING, server: { replicas: 1 } });
    expect(named(all, "ScaledJob", "clipmill-worker-gpu").spec).toMatchObject({
      maxReplicaCount: 4,
      triggers: [{ metadata: { query: "select queue_load('{gpu,eu}')", targetQueryValue: "3" } }],
      jobTargetRef: {
        template: {
          spec: { containers: [{ env: expect.arrayContaining([{ name: "WORKER_LABELS", value: "gpu,eu" }]) }] },
        },
      },
    });
    expect(JSON.stringify(named(all, "ScaledJob", "clipmill-worker-gpu"))).not.toContain("tolerations");
    expect(JSON.stringify(named(all, "Ingress", "clipmill-redirector").spec)).toContain('"host":"b.test"');
    expect(all.map(({ kind }) => kind)).not.toContain("PodDisruptionBudget");
    expect(JSON.stringify(all)).toContain("registry.test/clipmill:1.2.3");
  });

  it("renders without an ingress, a redirector and network policies", async () => {
    const off = { enabled: false };
    const all = await render({ ingress: off, redirector: off, networkPolicy: off, workers: { default: null } });
    expect(all.map(({ kind }) => kind).toSorted()).toEqual([
      "ConfigMap",
      "Deployment",
      "PodDisruptionBudget",
      "Service",
      "TriggerAuthentication",
    ]);
    expect(Object.keys((named(all, "ConfigMap", "clipmill") as unknown as { data: object }).data)).not.toContain(
      "VPS_SYNC_URL",
    );
  });

  it("renders the examples of docs/operations/kubernetes.md", async () => {
    const page = read("docs/operations/kubernetes.md");
    const examples = [...page.matchAll(/^ *```yaml\n(.*?)^ *```$/gms)].map(([, text]) => parse(text!) as Values);
    expect(examples).toHaveLength(3);
    const [values, kustomization, groups] = examples as [Values, Values, Values];
    for (const example of [values, groups, { ...values, ...groups }]) {
      for (const manifest of await render(example)) expect(problemsOf(manifest)).toEqual([]);
    }
    expect(JSON.stringify(await render(values))).toContain('"host":"clips.example.com"');
    const kubectl = path.join(path.dirname(helm!), "../kubectl/kubectl");
    if (!existsSync(kubectl)) return;
    const folder = await makeScratchFolder();
    await writeFile(path.join(folder, "kustomization.yaml"), stringify(kustomization));
    await writeFile(path.join(folder, "clipmill.yaml"), rendered);
    const { stdout } = await execa(kubectl, ["kustomize", folder]);
    const all = readManifests(stdout);
    for (const manifest of all) expect(problemsOf(manifest)).toEqual([]);
    expect(all.map(({ metadata }) => (metadata as { namespace?: string }).namespace)).toEqual(
      all.map(() => "clipmill"),
    );
    expect(stdout).not.toContain("example.com/clipmill");
    expect(stdout.match(/ghcr\.io\/acme\/clipmill:\d/g)).toHaveLength(3);
    expect(named(all, "ConfigMap", "clipmill")).toMatchObject({ data: { PUBLIC_URL: "https://clips.example.com" } });
  });

  it("rejects values that it does not have", async () => {
    await expect(render({ server: { replica: 3 } })).rejects.toThrow(/replica/);
    await expect(render({ workers: { gpu: { labels: "gpu eu" } } })).rejects.toThrow(/labels/);
  });
});
