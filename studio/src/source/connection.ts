// The socket to the studio's server: requests with their answers, the newest status, frames; and what to do when it is lost.

export interface Judgement {
  readonly overlap: string;
  readonly balanced: string;
  readonly penetration: number | null;
  readonly penetration_relative: number | null;
  readonly force: number | null;
  readonly torque: number | null;
  readonly why: string;
  readonly details: Record<string, unknown> | null;
}

export type SettingValue = boolean | number | string | readonly number[];

export interface Status {
  readonly serial: number; // of the scene; 0: none is open
  readonly scene?: string;
  readonly running?: boolean;
  readonly pace?: number;
  readonly step?: number;
  readonly time?: number;
  readonly hash?: string;
  readonly result?: string;
  readonly why?: string;
  readonly undo?: number;
  readonly redo?: number;
  readonly energy?: number | null;
  readonly edits?: number; // that hands made
  readonly stages?: Readonly<Record<string, number | null>>; // CPU seconds
  readonly hands?: readonly { readonly body: string; readonly force: number | null }[];
  readonly branch?: number;
  readonly branches?: number;
  readonly settings?: Readonly<Record<string, SettingValue>>;
  readonly verdict?: Judgement | null;
}

export type Answer = Record<string, unknown>;

/** What the server refused, with the place in a scene's text where it says one. */
export class Refused extends Error {
  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message);
  }
}

const kRetryFirst = 300; // ms
const kRetryLongest = 3000;

export class Connection {
  onStatus: (status: Status) => void = () => undefined;
  onFrame: (bytes: ArrayBuffer) => void = () => undefined;
  /** An answer is about to be given: what it tells of has come before it. */
  onAnswer: () => void = () => undefined;
  /** True: the server is there; false: it is gone, and is being looked for. `other`: another one answers in its place. */
  onLink: (up: boolean, other?: boolean) => void = () => undefined;

  private socket: WebSocket | null = null;
  private next = 1;
  private wait = kRetryFirst;
  private readonly asked = new Map<
    number,
    { resolve: (answer: Answer) => void; reject: (error: Error) => void }
  >();

  constructor(private readonly address: Location) {
    this.open();
  }

  get up(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  /** Asks the server to do something; rejected with its reason where it refuses. */
  ask(what: string, more: Record<string, unknown> = {}): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (!this.up) {
        reject(new Error("the server is not there"));
        return;
      }
      const id = this.next++;
      this.asked.set(id, { resolve, reject });
      this.socket!.send(JSON.stringify({ id, do: what, ...more }));
    });
  }

  /** The bytes of the scene of that serial. */
  async scene(serial: number): Promise<ArrayBuffer> {
    const answer = await fetch(`/scene/${serial}${this.address.search}`, { cache: "no-store" });
    if (!answer.ok) throw new Error(`the scene is not there (${answer.status})`);
    return answer.arrayBuffer();
  }

  private open(): void {
    const socket = new WebSocket(`ws://${this.address.host}/socket${this.address.search}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.wait = kRetryFirst;
      this.onLink(true);
    };
    socket.onmessage = ({ data }) => {
      if (typeof data === "string") this.take(JSON.parse(data) as Record<string, unknown>);
      else this.onFrame(data as ArrayBuffer);
    };
    socket.onclose = () => {
      for (const { reject } of this.asked.values()) reject(new Error("the server is gone"));
      this.asked.clear();
      this.onLink(false);
      void this.askWhoIsThere();
      setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(2 * this.wait, kRetryLongest);
    };
  }

  /** A studio that was started anew on the same port does not know this page's token. */
  private async askWhoIsThere(): Promise<void> {
    const answer = await fetch(this.address.href, { cache: "no-store" }).catch(() => null);
    if (answer && !answer.ok && !this.up) this.onLink(false, true);
  }

  private take(message: Record<string, unknown>): void {
    if (message.status) {
      this.onStatus(message.status as Status);
      return;
    }
    const waiting = this.asked.get(message.to as number);
    if (!waiting) return;
    this.asked.delete(message.to as number);
    this.onAnswer();
    if (message.error)
      waiting.reject(
        new Refused(
          String(message.error),
          Number(message.line ?? 0),
          Number(message.column ?? 0),
        ),
      );
    else waiting.resolve(message);
  }
}
