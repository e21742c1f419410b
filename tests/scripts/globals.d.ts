/** What the scripts of static/ share on a page, and what the browser's own types do not say of our pages. */

interface ClockPhase {
  phase: string;
  words: string;
  starts: number;
  /** In ms of the server's time; null: not known, as the clock stands. */
  ends: number | null;
  left: number;
  paused: boolean;
  warnings: number[];
}

interface ClockData {
  phases: ClockPhase[];
  extra: number;
}

/** What the server answers when it is asked for a clock: its time in ms, and null where no clock is set. */
interface ClockTold {
  now: number;
  clock: ClockData | null;
  next: string;
}

type ClockState = "paused" | "not started" | "running" | "over";

interface ClockNow {
  phase: ClockPhase;
  place: number;
  left: number;
  state: ClockState;
  ends: number | null;
}

/** An entry that is not stored yet, as static/pending.js keeps it on the device. */
interface Unsent {
  key: string;
  who: string;
  fields: [string, string][];
  at: number;
  words: string;
  value: string;
  address: string;
  page: string;
  replaces: string;
  why?: string;
}

type UnsentAnswer =
  | { state: "unkept" | "unanswered" }
  | { state: "stored"; address: string }
  | { state: "shown"; html: string; asked?: true }
  | { state: "refused"; status: number; reason: string };

interface Doomdesk {
  serverNow?: () => number;
  clockWords?: (seconds: number) => string;
  clockAt?: (data: ClockData, at: number) => ClockNow;
  askClock?: (anew?: boolean) => Promise<void>;
  /** Whether this device asked for a sound, so that its page is followed unseen. */
  announces?: () => boolean;
  chime?: (sound: AudioContext, times: number) => void;
  live?: { refresh: () => Promise<void> };
  unsent?: {
    read: () => Unsent[];
    keep: (entry: Unsent) => boolean;
    drop: (key: string) => void;
    send: (entry: Unsent) => Promise<UnsentAnswer>;
    entryOf: (form: HTMLFormElement, button?: HTMLElement | null) => Unsent | undefined;
    show: () => void;
  };
  desk?: { pending: () => number };
}

interface Window {
  doomdesk?: Doomdesk;
  htmx?: { process: (element: Element | null) => void };
}

interface Navigator {
  /** Safari alone: whether the page was opened from the home screen. */
  standalone?: boolean;
}

interface HtmxEvent extends Event {
  target: HTMLElement;
  detail: { target: HTMLElement; shouldSwap: boolean };
}

interface DocumentEventMap {
  "doomdesk:warning": CustomEvent<{ due: number }>;
  "htmx:beforeRequest": HtmxEvent;
  "htmx:beforeSwap": HtmxEvent;
  "htmx:afterSwap": HtmxEvent;
}

/** No script looks for a part of a drawing: what it finds, and what is clicked, is HTML. */
interface ParentNode {
  querySelector<Tag extends keyof HTMLElementTagNameMap>(selector: Tag): HTMLElementTagNameMap[Tag] | null;
  querySelector(selector: string): HTMLElement | null;
  querySelectorAll<Tag extends keyof HTMLElementTagNameMap>(selector: Tag): NodeListOf<HTMLElementTagNameMap[Tag]>;
  querySelectorAll(selector: string): NodeListOf<HTMLElement>;
}

interface Element {
  closest<Tag extends keyof HTMLElementTagNameMap>(selector: Tag): HTMLElementTagNameMap[Tag] | null;
  closest(selector: string): HTMLElement | null;
}
