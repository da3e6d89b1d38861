import { CSPProvider } from "@base-ui/react/csp-provider";
import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CloudUpload,
  Download,
  Ellipsis,
  FolderOpen,
  Pencil,
  Plus,
  RotateCcw,
  Trash,
  TriangleAlert,
} from "lucide-react";
import { useState, type ReactNode } from "react";
import { Button } from "#web/ui/buttons/button.tsx";
import { Checkbox } from "#web/ui/fields/checkbox.tsx";
import { ConfirmDialog } from "#web/ui/dialogs/confirm-dialog.tsx";
import { Disclosure } from "#web/ui/states/disclosure.tsx";
import { EmptyState } from "#web/ui/states/empty-state.tsx";
import { ErrorBox } from "#web/ui/states/error-box.tsx";
import { ErrorState } from "#web/ui/states/error-state.tsx";
import { IconButton } from "#web/ui/buttons/icon-button.tsx";
import { Menu } from "#web/ui/menus/menu.tsx";
import { ColorField } from "#web/ui/fields/color-field.tsx";
import { NumberField, TextField } from "#web/ui/fields/text-field.tsx";
import { PageHead } from "#web/ui/page/page-head.tsx";
import { Pane, RailPane } from "#web/ui/dialogs/pane.tsx";
import { SearchField } from "#web/ui/fields/search-field.tsx";
import { GridChoice } from "#web/ui/fields/grid-choice.tsx";
import { Segmented } from "#web/ui/fields/segmented.tsx";
import { Select } from "#web/ui/menus/select.tsx";
import { Skeleton } from "#web/ui/states/skeleton.tsx";
import { Slider } from "#web/ui/fields/slider.tsx";
import { StatusBadge } from "#web/ui/states/status-badge.tsx";
import { Strip, type Slat } from "#web/ui/states/strip.tsx";
import { Switch } from "#web/ui/fields/switch.tsx";
import { Table, TableCell, type TableColumn } from "#web/ui/page/table.tsx";
import { Tabs } from "#web/ui/page/tabs.tsx";
import { TextAreaField } from "#web/ui/fields/text-area-field.tsx";
import { Toaster } from "#web/ui/toasts/toaster.tsx";
import { TooltipLayer } from "#web/ui/page/tooltip-layer.tsx";
import { useToast } from "#web/ui/toasts/use-toast.ts";
import { WarningNote } from "#web/ui/states/warning-note.tsx";
import { ThemeToggle } from "#web/app/theme/theme-toggle.tsx";

const SLATS: Slat[] = [
  ...Array.from({ length: 9 }, (): Slat => "done"),
  { running: 0.4 },
  "failed",
  ...Array.from({ length: 13 }, (): Slat => "todo"),
];

export function Gallery() {
  return (
    <CSPProvider disableStyleElements>
      <main className="items-start gap-2 p-2 desk:flex">
        <Pane>
          <PageHead title="States and parts" subtitle="Everything the screens are made of">
            <ThemeToggle />
          </PageHead>
          <div className="grid grid-cols-1 border-t border-line desk:grid-cols-2 wide:grid-cols-3">
            <StatusCell />
            <ButtonCell />
            <ControlCell />
            <FieldCell />
            <Cell name="Empty">
              <EmptyState
                title="No jobs yet"
                text="Start by processing your first video batch"
                action={<Button look="primary">Start Processing</Button>}
              />
            </Cell>
            <Cell name="Load error">
              <ErrorState
                title="Error loading jobs"
                text="Failed to fetch job history. Please try again."
                onRetry={() => undefined}
              />
            </Cell>
            <LoadingCell />
            <OverlayCell />
            <Cell name="Disclosure and notes">
              <Disclosure title="Advanced Options" summary="Whole videos · Zip download on">
                <p>Inside.</p>
              </Disclosure>
              <ErrorBox text="Video 3 of 18 could not be fetched: This Google Drive file is not shared." />
              <WarningNote text="2 of 24 videos failed; 88 files are ready" />
            </Cell>
          </div>
          <TableCells />
        </Pane>
        <RailPane label="Preview">
          <p className="p-4">The second pane</p>
        </RailPane>
      </main>
      <Toaster />
      <TooltipLayer />
    </CSPProvider>
  );
}

function Cell({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className="grid min-w-0 content-start gap-3 border-b border-line px-6 pt-4 pb-5">
      <h2 className="text-12 font-medium text-ink-3">{name}</h2>
      {children}
    </section>
  );
}

function StatusCell() {
  return (
    <Cell name="Status">
      <div className="flex flex-wrap gap-3">
        <StatusBadge tone="queued" icon={CircleDashed} label="Queued #3" isInline />
        <StatusBadge tone="processing" icon="spinner" label="Processing" isInline />
        <StatusBadge tone="cancelling" icon="spinner" label="Cancelling" isInline />
        <StatusBadge tone="completed" icon={CircleCheck} label="Completed" isInline />
        <StatusBadge tone="failed" icon={CircleAlert} label="Failed" isInline />
        <StatusBadge tone="cancelled" icon={Ban} label="Cancelled" isInline />
        <StatusBadge tone="warning" icon={TriangleAlert} label="3 pending changes" isInline />
      </div>
      <Strip label="Progress" fraction={0.4} figure="10/24" slats={SLATS} />
      <Strip label="Progress" fraction={0.62} figure="62%" />
    </Cell>
  );
}

function ButtonCell() {
  return (
    <Cell name="Buttons">
      <div className="flex flex-wrap gap-2">
        <Button look="primary" icon={CloudUpload}>
          Publish Config
        </Button>
        <Button icon={Plus}>New Route</Button>
        <Button look="quiet">View All</Button>
        <Button look="danger">Delete Domain</Button>
        <Button disabled>Disabled</Button>
        <Button look="primary" isBusy>
          Publishing...
        </Button>
        <Button size="sm">Small</Button>
        <Button size="lg" look="primary">
          Large
        </Button>
        <IconButton icon={Pencil} label="Edit" />
        <IconButton icon={Trash} label="Delete" disabled />
        <Menu
          label="Actions"
          icon={Ellipsis}
          items={[
            { label: "Open output folder", icon: FolderOpen, onSelect: () => undefined },
            { label: "Download zip", icon: Download, href: "/favicon.svg", download: true },
            { label: "Rerun", icon: RotateCcw, isDisabled: true, onSelect: () => undefined },
          ]}
        />
      </div>
    </Cell>
  );
}

function ControlCell() {
  const [mode, setMode] = useState<"replace" | "mix">("mix");
  const [gain, setGain] = useState(0.7);
  const [status, setStatus] = useState("all");
  const [place, setPlace] = useState("Right");
  return (
    <Cell name="Controls">
      <div className="flex flex-wrap items-center gap-4">
        <Checkbox label="Off" isLabelHidden />
        <Checkbox label="On" isLabelHidden defaultChecked />
        <Switch label="Off" isLabelHidden />
        <Switch label="Loop audio" defaultChecked />
        <GridChoice
          label="Place"
          columns={2}
          options={["Top", "Right", "Bottom", "Left"].map((label) => ({ value: label, label }))}
          value={place}
          onChange={setPlace}
        />
        <Segmented
          label="Audio mode"
          options={[
            { value: "replace", label: "Replace" },
            { value: "mix", label: "Mix" },
          ]}
          value={mode}
          onChange={setMode}
        />
      </div>
      <Slider label="Video volume" value={gain} onChange={setGain} />
      <Select
        label="Status"
        className="w-40"
        value={status}
        onChange={setStatus}
        options={["All Statuses", "Completed", "Processing", "Failed"].map((label, index) => ({
          value: index === 0 ? "all" : label,
          label,
        }))}
      />
    </Cell>
  );
}

function FieldCell() {
  const [search, setSearch] = useState("");
  const [color, setColor] = useState("#ffd60a");
  return (
    <Cell name="Fields">
      <SearchField label="Search jobs" placeholder="Search jobs..." value={search} onChange={setSearch} />
      <TextField label="Domain" defaultValue="harbor oak" error="Invalid domain format" />
      <NumberField label="Variants per video" defaultValue="4" hint="1 to 5 are recommended" />
      <ColorField label="Text color" value={color} color={color} onChange={setColor} onBlur={() => {}} />
      <TextAreaField
        label="Video links, one per line"
        defaultValue={"https://drive.google.com/file/d/1x8Qm4tB0vYfR2kLz7NcWpA9dHsJ3eUgT/view?usp=sharing\nsecond"}
        hint="2 valid links"
      />
    </Cell>
  );
}

function LoadingCell() {
  return (
    <Cell name="Loading">
      {["w-3/5", "w-1/2", "w-2/3"].map((width) => (
        <div key={width} className="flex items-center gap-3 py-1">
          <Skeleton className="size-4" />
          <div className="grid flex-1 gap-1.5">
            <Skeleton className={`h-3 ${width}`} />
            <Skeleton className="h-2.5 w-1/3" />
          </div>
          <Skeleton className="h-3 w-20" />
        </div>
      ))}
    </Cell>
  );
}

const COLUMNS: readonly TableColumn[] = [
  { label: "Domain" },
  { label: "Routes", className: "text-right" },
  { label: "Actions", isLabelHidden: true },
];

function TableCells() {
  const [tab, setTab] = useState("domains");
  const [status, setStatus] = useState("Active");
  return (
    <Tabs
      label="Lists"
      tabs={[
        { value: "domains", label: "Domains", count: 2 },
        { value: "routes", label: "Routes", count: 11 },
      ]}
      value={tab}
      onChange={setTab}
    >
      <Table
        label="Domains"
        columns={COLUMNS}
        gridClassName="grid-cols-[minmax(0,1fr)_64px_112px]"
        items={["go.harborandoak.com", "deals.northlinefit.co"]}
        keyOf={(name) => name}
        activeKey="deals.northlinefit.co"
      >
        {(name) => (
          <>
            <TableCell className="raw truncate font-medium text-ink">{name}</TableCell>
            <TableCell className="tnum text-right">3</TableCell>
            <TableCell>
              <Select
                look="quiet"
                label={`Status of ${name}`}
                value={status}
                onChange={setStatus}
                options={["Active", "Inactive"].map((label) => ({ value: label, label }))}
              />
            </TableCell>
          </>
        )}
      </Table>
    </Tabs>
  );
}

function OverlayCell() {
  const toast = useToast();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <Cell name="Dialog and toasts">
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setIsOpen(true)}>Confirm</Button>
        <Button
          onClick={() =>
            toast.show({ title: "Job cancelled", description: "The job has been successfully cancelled." })
          }
        >
          Toast
        </Button>
        <Button
          onClick={() => toast.show({ title: "Job Started", description: "Processing 3 video(s)", variant: "success" })}
        >
          Success
        </Button>
        <Button
          onClick={() =>
            toast.show({
              title: "Failed to Restart Job",
              description: "There was an error restarting the job. Please try again.",
              variant: "destructive",
              action: { label: "Try again", onClick: () => undefined },
            })
          }
        >
          Destructive
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isOpen}
        title="Cancel this job?"
        text="12 of 40 videos are done. Finished files are kept."
        confirmLabel="Cancel job"
        cancelLabel="Keep running"
        onConfirm={() => setIsOpen(false)}
        onClose={() => setIsOpen(false)}
      />
    </Cell>
  );
}
