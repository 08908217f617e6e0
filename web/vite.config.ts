import { brotliCompressSync, constants } from "node:zlib";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

/** Writes a brotli copy beside every file over 1 KB, so that the server never compresses at run time. */
function precompress(): Plugin {
  return {
    name: "precompress",
    apply: "build",
    enforce: "post",
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        for (const file of Object.values(bundle)) {
          const source = Buffer.from(file.type === "chunk" ? file.code : file.source);
          if (source.length <= 1024 || /^\.vite\/|\.(png|woff2)$/.test(file.fileName)) continue;
          const packed = brotliCompressSync(source, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } });
          this.emitFile({ type: "asset", fileName: `${file.fileName}.br`, source: packed });
        }
      },
    },
  };
}

export default defineConfig({
  plugins: [react(), tailwindcss(), precompress()],
  worker: { format: "es" },
  build: {
    manifest: true,
    target: "es2023",
    // The content security policy knows no data: scripts and fonts, and no inline polyfill.
    assetsInlineLimit: 0,
    // The shell names what the first view imports, and the others are fetched when there is time.
    modulePreload: false,
    reportCompressedSize: false,
    rolldownOptions: {
      output: {
        codeSplitting: {
          // Each file is a request, and six are on their way at a time: all that is needed at once is in one, with what it imports.
          groups: [
            { name: "first", priority: 2, test: /\/src\/(api\/[\w-]+|app\/routes)\.ts$|preload-helper/ },
            { name: "start", priority: 1, test: /\/src\/(app\/app|app\/runtime|i18n\/index|state\/preferences)\.tsx?$/ },
          ],
        },
      },
    },
  },
});
