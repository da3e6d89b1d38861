/** Validates against the published schemas of Kubernetes and KEDA, and against the code. */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { ScaledJob, TriggerAuthentication } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { Deployment } from "kubernetes-models/apps/v1";
import { Job } from "kubernetes-models/batch/v1";
import { Ingress, NetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Service } from "kubernetes-models/v1";
import { describe, expect, it } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { readConfig } from "../src/config.ts";

const FOLDER = path.resolve(import.meta.dirname, "../deploy/kubernetes");
const read = (file: string): string => readFileSync(path.join(FOLDER, file), "utf8");

type Manifest = { apiVersion: string; kind: string; metadata: { name: string }; spec: Record<string, unknown> };
type Container = { args: string[]; env?: { name: string; value?: string }[]; ports: { containerPort: number }[] };
type Template = { spec: { containers: Container[] } };

const list = parse(read("kustomization.yaml")) as { resources: string[] };
const manifests = list.resources.flatMap((file) =>
  parseAllDocuments(read(file)).map((document) => ({ file, manifest: document.toJS() as Manifest })),
);
const MODELS = [
  ...[Deployment, Service, ConfigMap, Ingress, NetworkPolicy, PodDisruptionBudget],
  ...[ScaledJob, TriggerAuthentication],
];

const find = (kind: string, name: string): Manifest =>
  manifests.find(({ manifest }) => manifest.kind === kind && manifest.metadata.name === name)!.manifest;
const workerSpec = find("ScaledJob", "clipmill-worker").spec as {
  triggers: { metadata: { query: string; targetQueryValue: string } }[];
  jobTargetRef: { template: Template };
};
const templates = [
  ...["clipmill-server", "clipmill-redirector"].map((name) => find("Deployment", name).spec["template"] as Template),
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

describe.each(manifests)("$file: $manifest.kind $manifest.metadata.name", ({ manifest }) => {
  it("is valid, without unknown fields", () => {
    const Model = MODELS.find(({ apiVersion, kind }) => apiVersion === manifest.apiVersion && kind === manifest.kind)!;
    expect(findUnknown(new Model(manifest as never))).toEqual([]);
  });
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

it("lists every file in kustomization.yaml", () => {
  const files = readdirSync(FOLDER).filter((file) => file !== "kustomization.yaml");
  expect(list.resources.toSorted()).toEqual(files.toSorted());
});

it("starts commands that exist, on the image's ports and as its user", () => {
  const commands = readFileSync(path.join(FOLDER, "../../src/commands/program-commands.ts"), "utf8");
  const image = readFileSync(path.join(FOLDER, "../../Dockerfile"), "utf8");
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
  const { data } = parse(read("configuration.yaml")) as { data: Record<string, string> };
  expect(readConfig({ ...data, DATA_DIR: "/data" })).toMatchObject({
    STORAGE_URL: { bucket: "clipmill" },
    PUBLIC_URL: "https://clipmill.example.com",
    VPS_SYNC_URL: expect.stringMatching(/_clipmill\/publish$/),
  });
  expect(Object.keys(data).filter((name) => /SECRET|PASSWORD|TOKEN|KEY|DATABASE/.test(name))).toEqual([]);
  expect(manifests.map(({ manifest }) => manifest.kind)).not.toContain("Secret");
  expect(manifests.map(({ manifest }) => manifest.kind)).not.toContain("PersistentVolumeClaim");
});

it("scales the worker by the queue's load, at as many tasks per worker as it runs at the same time", () => {
  const { query, targetQueryValue } = workerSpec.triggers[0]!.metadata;
  expect(query).toBe("select queue_load()");
  const { env } = workerSpec.jobTargetRef.template.spec.containers[0]!;
  expect(env).toContainEqual({ name: "WORKER_CONCURRENCY", value: targetQueryValue });
});
