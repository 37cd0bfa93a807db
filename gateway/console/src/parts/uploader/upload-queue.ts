import { signal } from "@preact/signals";

export type UploadState =
  | { readonly kind: "checking" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "waiting" }
  | { readonly kind: "uploading"; readonly sent: number; readonly total: number }
  | { readonly kind: "failed"; readonly reason: string; readonly mayRetry: boolean }
  | { readonly kind: "ready"; readonly fileId: number };

/** A file on its way to the server, or one that is there already. */
export interface UploadItem {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** Absent for one that was uploaded earlier. */
  readonly file?: File;
  readonly state: UploadState;
}

export interface UploadQueueOptions {
  /** Why a file is refused; undefined: it may be uploaded. */
  readonly check: (file: File) => Promise<string | undefined>;
  readonly upload: (
    file: File,
    options: {
      readonly idempotencyKey: string;
      readonly signal: AbortSignal;
      readonly onProgress: (progress: { readonly sent: number; readonly total: number }) => void;
    },
  ) => Promise<number>;
  readonly describe: (error: unknown) => { readonly reason: string; readonly mayRetry: boolean };
  readonly newKey: () => string;
}

/** Uploads at the same time. */
const AT_ONCE = 3;

/** Files that are uploaded a few at a time. Each can be canceled and tried again by itself. */
export class UploadQueue {
  readonly items = signal<readonly UploadItem[]>([]);
  private readonly running = new Map<string, AbortController>();

  constructor(private readonly options: UploadQueueOptions) {}

  /** Adds files, as many as `most` in all; returns how many were left out for that, or because they are there already. */
  add(files: readonly File[], most: number): { readonly beyond: number; readonly repeated: number } {
    const known = new Set(this.items.value.flatMap(({ file }) => (file === undefined ? [] : [identity(file)])));
    const fresh = files.filter((file) => {
      if (known.has(identity(file))) return false;
      known.add(identity(file));
      return true;
    });
    const room = Math.max(0, most - this.items.value.filter(({ state }) => state.kind !== "refused").length);
    const taken = fresh.slice(0, room).map((file): UploadItem => {
      const { name, size } = file;
      return { key: this.options.newKey(), name, size, file, state: { kind: "checking" } };
    });
    this.items.value = [...this.items.value, ...taken];
    for (const { key, file } of taken) if (file !== undefined) void this.check(key, file);
    return { beyond: fresh.length - taken.length, repeated: files.length - fresh.length };
  }

  /** Adds a file that the server has. */
  addStored(id: number, { name, size }: { readonly name: string; readonly size: number }): void {
    if (this.fileIds().includes(id)) return;
    const state = { kind: "ready", fileId: id } as const;
    this.items.value = [...this.items.value, { key: this.options.newKey(), name, size, state }];
  }

  /** Takes a file out; an upload of it ends. */
  remove(key: string): void {
    this.running.get(key)?.abort();
    this.items.value = this.items.value.filter((item) => item.key !== key);
  }

  /** Tries a failed upload again: with its key, so that nothing is stored twice. */
  retry(key: string): void {
    this.set(key, { kind: "waiting" });
    this.start();
  }

  /** Ends all uploads. */
  stop(): void {
    for (const controller of this.running.values()) controller.abort();
    this.items.value = [];
  }

  /** The files that are on the server, in their order. */
  fileIds(): number[] {
    return this.items.value.flatMap(({ state }) => (state.kind === "ready" ? [state.fileId] : []));
  }

  private async check(key: string, file: File): Promise<void> {
    const reason = await this.options.check(file);
    this.set(key, reason === undefined ? { kind: "waiting" } : { kind: "refused", reason });
    this.start();
  }

  private start(): void {
    for (const { key, file, state } of this.items.value) {
      if (this.running.size >= AT_ONCE) return;
      if (state.kind === "waiting" && file !== undefined && !this.running.has(key)) void this.upload(key, file);
    }
  }

  private async upload(key: string, file: File): Promise<void> {
    const controller = new AbortController();
    this.running.set(key, controller);
    this.set(key, { kind: "uploading", sent: 0, total: file.size });
    try {
      const fileId = await this.options.upload(file, {
        idempotencyKey: key,
        signal: controller.signal,
        onProgress: ({ sent, total }) => this.set(key, { kind: "uploading", sent, total }),
      });
      this.set(key, { kind: "ready", fileId });
    } catch (error) {
      this.set(key, { kind: "failed", ...this.options.describe(error) });
    } finally {
      this.running.delete(key);
      this.start();
    }
  }

  private set(key: string, state: UploadState): void {
    this.items.value = this.items.value.map((item) => (item.key === key ? { ...item, state } : item));
  }
}

function identity({ name, size, lastModified }: File): string {
  return `${name}\n${size}\n${lastModified}`;
}
