/** npm run chart: checks the Helm chart, and writes what it renders with its defaults to deploy/kubernetes. */
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { execa } from "execa";
import { installHelm } from "./tools/install-helm.ts";
import { renderChart } from "./tools/render-chart.ts";

const helm = await installHelm();
const root = path.resolve(import.meta.dirname, "..");
await execa(helm, ["lint", "--strict", path.join(root, "deploy/helm/clipmill")], { stdio: "inherit" });
await writeFile(path.join(root, "deploy/kubernetes/clipmill.yaml"), await renderChart(helm));
