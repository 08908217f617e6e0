// Writes src/api/schema.gen.ts from docs/openapi.json, or, with --check, fails where it differs.
import { readFileSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const source = new URL("../../../docs/openapi.json", import.meta.url);
const target = new URL("../../src/api/schema.gen.ts", import.meta.url);

const ast = await openapiTS(source, { alphabetize: true, defaultNonNullable: false, emptyObjectsUnknown: true });
const text = `// Generated from docs/openapi.json by web/tools/openapi. Do not edit.\n\n${astToString(ast)}`;

if (process.argv.includes("--check")) {
  if (readFileSync(target, "utf8") !== text) {
    console.error("web/src/api/schema.gen.ts is not what docs/openapi.json says. Run: npm --prefix web/tools/openapi run generate");
    process.exit(1);
  }
} else {
  writeFileSync(target, text);
}
