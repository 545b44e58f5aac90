import { explain } from "./troubles.js";
import { t } from "./words.js";
export class LostConnection extends Error {
    constructor() {
        super(t("lost_connection"));
    }
}
export class Positions {
    connection;
    #asked = [];
    #count = 0;
    constructor(connection) {
        this.connection = connection;
        connection.listen((message) => {
            if (message.type === "view") {
                const at = this.#asked.findIndex(({ id }) => id === message.id);
                if (at >= 0)
                    this.#asked.splice(at, 1)[0].done(message);
            }
            else if (message.type === "error" && message.do === "look") {
                this.#asked.shift()?.failed(new Error(explain(message)));
            }
        });
        connection.status.listen((status) => {
            if (status === "lost")
                for (const { failed } of this.#asked.splice(0))
                    failed(new LostConnection());
        });
    }
    look(position) {
        return new Promise((done, failed) => {
            const id = ++this.#count;
            if (this.connection.send({ do: "look", position, id }))
                this.#asked.push({ id, done, failed });
            else
                failed(new LostConnection());
        });
    }
}
