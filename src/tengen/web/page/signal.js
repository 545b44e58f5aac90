export class Signal {
    #value;
    #listeners = new Set();
    constructor(value) {
        this.#value = value;
    }
    get value() {
        return this.#value;
    }
    set(value) {
        this.#value = value;
        for (const listener of [...this.#listeners])
            listener(value);
    }
    listen(listener) {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
    }
}
