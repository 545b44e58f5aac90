/** Positions as the server sees them: what stands where, what may be played, how it ended. */

import type { Connection } from "./connection.js";
import type { PositionRef, View } from "./protocol.js";
import { explain } from "./troubles.js";
import { t } from "./words.js";

interface Asked {
  id: number;
  done: (view: View) => void;
  failed: (reason: Error) => void;
}

/** Nobody could be asked: that says nothing about the position. */
export class LostConnection extends Error {
  constructor() {
    super(t("lost_connection"));
  }
}

export class Positions {
  #asked: Asked[] = [];
  #count = 0;

  constructor(private readonly connection: Connection) {
    connection.listen((message) => {
      if (message.type === "view") {
        const at = this.#asked.findIndex(({ id }) => id === message.id);
        if (at >= 0) this.#asked.splice(at, 1)[0].done(message);
      } else if (message.type === "error" && message.do === "look") {
        this.#asked.shift()?.failed(new Error(explain(message))); // answers come in the order of the questions
      }
    });
    connection.status.listen((status) => {
      if (status === "lost") for (const { failed } of this.#asked.splice(0)) failed(new LostConnection());
    });
  }

  /** Rejects with what is wrong with the position; with `LostConnection` where there is no server to ask. */
  look(position: PositionRef): Promise<View> {
    return new Promise((done, failed) => {
      const id = ++this.#count;
      if (this.connection.send({ do: "look", position, id })) this.#asked.push({ id, done, failed });
      else failed(new LostConnection());
    });
  }
}
