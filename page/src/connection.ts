/** The connection to the server: it comes back by itself, as often as it is lost. */

import type { ServerMessage } from "./protocol.js";
import { Signal } from "./signal.js";

const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;

export class Connection {
  /** "new" before the first success, "open", or "lost". */
  readonly status = new Signal<"new" | "open" | "lost">("new");
  #socket: WebSocket | null = null;
  #wait = FIRST_WAIT;
  #timer: number | undefined;
  #listeners = new Set<(message: ServerMessage) => void>();

  constructor(readonly address: string) {
    this.#open();
    const hurry = () => {
      if (this.status.value === "lost" && document.visibilityState === "visible") this.#retry(0);
    };
    addEventListener("online", hurry);
    document.addEventListener("visibilitychange", hurry);
  }

  /** Send a request; whether there was a connection to send it on. */
  send(request: { do: string; [key: string]: unknown }): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(request));
    return true;
  }

  listen(listener: (message: ServerMessage) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** A new socket; one that is still coming is left alone, and whatever it says goes unheard. */
  #open(): void {
    const before = this.#socket;
    const socket = new WebSocket(this.address);
    this.#socket = socket;
    before?.close();
    socket.onopen = () => {
      if (this.#socket !== socket) return;
      this.#wait = FIRST_WAIT;
      this.status.set("open");
    };
    socket.onmessage = (event) => {
      if (this.#socket !== socket) return;
      const message = JSON.parse(String(event.data)) as ServerMessage;
      for (const listener of [...this.#listeners]) listener(message);
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.status.set("lost");
      this.#retry(this.#wait);
      this.#wait = Math.min(this.#wait * 1.6, LONGEST_WAIT);
    };
  }

  #retry(wait: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), wait);
  }
}
