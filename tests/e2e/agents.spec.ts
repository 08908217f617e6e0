import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { execFileSync } from "node:child_process";
import { type Drover, expect, expectAccessible, test } from "../../web/e2e/fixtures.ts";

const NAME = "@google/gemini-cli";
const PINNED = "0.61.0";
const OLD = "0.60.0";

/** Becomes the scripted agent of the same build as the daemon. */
const script = (agent: string) =>
  `const child = require("child_process").spawn(${JSON.stringify(agent)}, [], { stdio: "inherit" });\n` +
  `child.on("exit", (code) => process.exit(code ?? 1));\n`;

/** A registry of one package; tarballs wait while it is held. */
class Registry {
  readonly #server: Server;
  #held: (() => void)[] | null = null;
  #away = false;

  private constructor(tarballs: Map<string, Buffer>) {
    this.#server = createServer((request, response) => this.#answer(request.url ?? "", response, tarballs));
  }

  static async start(drover: Drover): Promise<Registry> {
    const tarballs = new Map([OLD, PINNED].map((version) => [version, tarball(drover, version)]));
    const registry = new Registry(tarballs);
    await new Promise<void>((resolve) => registry.#server.listen(0, "127.0.0.1", resolve));
    writeFileSync(join(drover.home, ".npmrc"), `registry=${registry.#url}\nfetch-retries=0\n`);
    return registry;
  }

  get #url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/`;
  }

  hold(): void {
    this.#held = [];
  }

  release(): void {
    const waiting = this.#held ?? [];
    this.#held = null;
    for (const go of waiting) go();
  }

  goAway(away: boolean): void {
    this.#away = away;
  }

  stop(): void {
    this.release();
    this.#server.closeAllConnections();
    this.#server.close();
  }

  #answer(url: string, response: ServerResponse, tarballs: Map<string, Buffer>): void {
    if (this.#away) return void response.destroy();
    const version = /\/-\/(.+)\.tgz$/.exec(url)?.[1];
    const body = version ? tarballs.get(version) : undefined;
    if (body) {
      const half = body.length >> 1;
      response.writeHead(200, { "content-length": body.length });
      response.write(body.subarray(0, half));
      const rest = () => void response.end(body.subarray(half));
      return this.#held ? void this.#held.push(rest) : rest();
    }
    const versions = Object.fromEntries(
      [...tarballs.keys()].map((each) => [each, { name: NAME, version: each, dist: { tarball: `${this.#url}${NAME}/-/${each}.tgz` } }]),
    );
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ name: NAME, "dist-tags": { latest: PINNED }, versions }));
  }
}

function tarball(drover: Drover, version: string): Buffer {
  const dir = join(drover.root, "pack", version);
  mkdirSync(join(dir, "package", "bundle"), { recursive: true });
  writeFileSync(join(dir, "package", "package.json"), JSON.stringify({ name: NAME, version }));
  writeFileSync(join(dir, "package", "bundle", "gemini.js"), script(drover.agent));
  const packed = execFileSync("tar", ["-C", dir, "-czf", "-", "package"]);
  rmSync(dir, { recursive: true });
  return packed;
}

test("an agent is announced, installed with its progress, updated, taken back and removed from its page", async ({ drover, page }) => {
  test.setTimeout(180_000);
  const registry = await Registry.start(drover);
  try {
    await page.goto(drover.url + "/new");
    await page.getByRole("button", { name: /^Agent: / }).click();
    await page.getByRole("menuitemradio", { name: /Gemini CLI.*not installed · Install/ }).click();
    await expect(page.getByRole("heading", { level: 1, name: "Gemini CLI" })).toBeVisible();
    const main = page.getByRole("main");
    for (const told of ["npm install --ignore-scripts", PINNED, "Google", "Apache-2.0", "about 102"]) {
      await expect(main).toContainText(told);
    }
    await expectAccessible(page);

    registry.goAway(true);
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await expect(page.getByRole("alert")).toContainText("registry cannot be reached", { timeout: 60_000 });
    registry.goAway(false);
    registry.hold();
    await page.getByRole("button", { name: "Try again" }).click();
    await expect(page.getByRole("progressbar")).toBeVisible();
    await expect(main).toContainText("Step 1 of 2");
    await expect(main).toContainText(/of about 102/);
    await expectAccessible(page);
    await page.getByRole("button", { name: "Cancel the installation" }).click();
    await expect(page.getByRole("button", { name: "Install", exact: true })).toBeVisible();
    await expect(page.getByRole("alert")).toHaveCount(0);

    registry.release();
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Installed versions" })).toBeVisible({ timeout: 60_000 });
    await expect(main).toContainText("installed by Drover");
    await expect(main).toContainText("bring back a session");
    await expectAccessible(page);
    await page.getByRole("button", { name: `Remove version ${PINNED}` }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await expect(page.getByRole("heading", { name: "Installed versions" })).toHaveCount(0);
    await expect(main).toContainText("not installed");
  } finally {
    registry.stop();
  }
});

test("a newer version is a badge until it is wanted, and the one before can be used again", async ({ drover, page }) => {
  test.setTimeout(180_000);
  const registry = await Registry.start(drover);
  try {
    drover.addToAgents(`[agents.gemini]\nversion = "${OLD}"\n`);
    await page.goto(drover.url + "/settings/agents/gemini");
    await expect(page.getByRole("main")).toContainText(`@${OLD}`);
    await page.getByRole("button", { name: "Install", exact: true }).click();
    await expect(page.getByRole("heading", { name: "Installed versions" })).toBeVisible({ timeout: 60_000 });
    drover.describeAgents();
    await page.goto(drover.url + "/settings/agents");
    await expect(page.getByText(`${PINNED} can be installed`)).toBeVisible();
    await page.getByRole("link", { name: /Gemini CLI/ }).click();
    await page.getByRole("button", { name: `Update to ${PINNED}` }).click();
    const back = page.getByRole("button", { name: `Use version ${OLD}` });
    await expect(back).toBeVisible({ timeout: 60_000 });
    await back.click();
    await expect(page.getByRole("button", { name: `Use version ${PINNED}` })).toBeVisible();
  } finally {
    registry.stop();
  }
});

test("a key is kept from an agent with one tick", async ({ drover, page }) => {
  await drover.stop();
  writeFileSync(join(drover.home, ".profile"), "export SOME_API_KEY=sk-very-secret-value\n");
  await drover.run();
  await page.goto(`${drover.url}/settings/agents/scripted`);
  const pass = page.getByRole("checkbox", { name: "Pass SOME_API_KEY on to the agent" });
  await expect(pass).toBeChecked({ timeout: 20_000 });
  await expect(page.getByRole("main")).not.toContainText("sk-very-secret-value");
  await expectAccessible(page);
  await pass.focus();
  await page.keyboard.press("Space");
  await expect(pass).not.toBeChecked();
  await page.reload();
  await expect(pass).not.toBeChecked();
});
