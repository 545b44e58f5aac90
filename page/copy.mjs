// After tsc: the files that are not compiled, and nothing left of sources that are gone.
import { copyFileSync, readdirSync, rmSync } from "node:fs";

const out = "../src/tengen/web/page";
const wanted = new Set(readdirSync("src").map((name) => name.replace(/\.ts$/, ".js")));
for (const name of readdirSync("static")) {
  copyFileSync(`static/${name}`, `${out}/${name}`);
  wanted.add(name);
}
for (const name of readdirSync(out)) if (!wanted.has(name)) rmSync(`${out}/${name}`);
