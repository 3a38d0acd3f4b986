// What the page prints of diagrams and draws of texts, for comparison with ours: its own sources, put together by the bundler.
//
// Reads JSON `{diagrams, texts}` from stdin and writes `{printed, drawn}` to stdout.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const frontend = new URL("../../frontend/", import.meta.url);
const { rolldown } = await import(pathToFileURL(createRequire(new URL("package.json", frontend)).resolve("rolldown")));
const bundle = await rolldown({ input: fileURLToPath(new URL("tests/model/diagramText/drawn.ts", frontend)) });
const { output } = await bundle.generate({ format: "esm" });
const page = await import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString("base64")}`);

const { diagrams, texts } = JSON.parse(readFileSync(0, "utf8"));
const printed = diagrams.map(page.wholeText);
process.stdout.write(JSON.stringify({ printed, drawn: texts.map(page.drawn) }));
