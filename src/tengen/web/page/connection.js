import { Signal } from "./signal.js";
const FIRST_WAIT = 400;
const LONGEST_WAIT = 5000;
export class Connection {
    address;
    status = new Signal("new");
    #socket = null;
    #wait = FIRST_WAIT;
    #timer;
    #listeners = new Set();
    constructor(address) {
        this.address = address;
        this.#open();
        const hurry = () => {
            if (this.status.value === "lost" && document.visibilityState === "visible")
                this.#retry(0);
        };
        addEventListener("online", hurry);
        document.addEventListener("visibilitychange", hurry);
    }
    send(request) {
        if (this.#socket?.readyState !== WebSocket.OPEN)
            return false;
        this.#socket.send(JSON.stringify(request));
        return true;
    }
    listen(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }
    #open() {
        const before = this.#socket;
        const socket = new WebSocket(this.address);
        this.#socket = socket;
        before?.close();
        socket.onopen = () => {
            if (this.#socket !== socket)
                return;
            this.#wait = FIRST_WAIT;
            this.status.set("open");
        };
        socket.onmessage = (event) => {
            if (this.#socket !== socket)
                return;
            const message = JSON.parse(String(event.data));
            for (const listener of [...this.#listeners])
                listener(message);
        };
        socket.onclose = () => {
            if (this.#socket !== socket)
                return;
            this.status.set("lost");
            this.#retry(this.#wait);
            this.#wait = Math.min(this.#wait * 1.6, LONGEST_WAIT);
        };
    }
    #retry(wait) {
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => this.#open(), wait);
    }
}
