import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const START_MS = 20_000;
const EXIT_MS = 15_000;

function binary(): string {
  const path = process.env.DROVER_BIN ?? join(import.meta.dirname, "../../target/debug/drover");
  if (!existsSync(path)) throw new Error(`there is no drover at ${path}: run cargo build, or name another in DROVER_BIN`);
  return path;
}

function agentBinary(): string {
  const path = process.env.DROVER_AGENT ?? join(dirname(binary()), "scripted-agent");
  if (!existsSync(path)) throw new Error(`there is no scripted agent at ${path}; set DROVER_AGENT`);
  return path;
}

interface DaemonFile {
  pid: number;
  port: number;
  url: string;
}

/** The real daemon on a data directory and a home of its own. */
export class Drover {
  readonly root = mkdtempSync(join(tmpdir(), "drover-e2e-"));
  readonly dataDir = join(this.root, "data");
  readonly home = join(this.root, "home");
  /** The page that is served from the next start on, where it is not the one of the build. */
  webDist = process.env.DROVER_WEB_DIST;
  /** A command that the next start goes through, such as one that sets limits. */
  launcher: readonly string[] = [];
  #process: ChildProcess | null = null;
  #daemon: DaemonFile | null = null;

  static async start(): Promise<Drover> {
    const drover = new Drover();
    mkdirSync(drover.dataDir, { mode: 0o700 });
    mkdirSync(join(drover.home, "work", "demo"), { recursive: true });
    drover.describeAgents();
    await drover.run(0);
    return drover;
  }

  /** Two agents of agents.toml that do what a message tells them. */
  describeAgents(more: Record<string, string> = {}): void {
    const extra = Object.entries(more).map(([name, value]) => `, ${name} = ${JSON.stringify(value)}`).join("");
    const entry = (id: string, name: string) =>
      [
        `[agents.${id}]`,
        `name = "${name}"`,
        `command = ${JSON.stringify(agentBinary())}`,
        `env = { AGENT_NAME = "${id}", AGENT_OPTS = "1"${extra} }`,
        "",
      ].join("\n");
    writeFileSync(join(this.dataDir, "agents.toml"), entry("scripted", "Scripted") + entry("second", "Second"));
  }

  /** Another table at the end of agents.toml, until it is described anew. */
  addToAgents(toml: string): void {
    appendFileSync(join(this.dataDir, "agents.toml"), toml);
  }

  /** The program of the scripted agent. */
  get agent(): string {
    return agentBinary();
  }

  get url(): string {
    if (!this.#daemon) throw new Error("the daemon does not run");
    return `http://localhost:${this.#daemon.port}`;
  }

  get pid(): number {
    if (!this.#daemon) throw new Error("the daemon does not run");
    return this.#daemon.pid;
  }

  get demo(): string {
    return join(this.home, "work", "demo");
  }

  /** Starts the daemon, again on the port it had. */
  async run(port = this.#daemon?.port ?? 0): Promise<void> {
    rmSync(join(this.dataDir, "daemon.json"), { force: true });
    const { PATH } = process.env;
    const env = { PATH, HOME: this.home, SHELL: "/bin/sh", LANG: "C.UTF-8", ...(this.webDist && { DROVER_WEB_DIST: this.webDist }) };
    const args = ["serve", "--port", String(port), "--data-dir", this.dataDir, "--no-open"];
    const [program = binary(), ...words] = [...this.launcher, binary(), ...args];
    this.#process = spawn(program, words, { env, cwd: this.home, stdio: "ignore" });
    this.#daemon = await this.#ready();
  }

  /** As a power cut: nothing is flushed, nobody is told. */
  async kill(): Promise<void> {
    await this.#end("SIGKILL");
  }

  async stop(): Promise<void> {
    await this.#end("SIGTERM");
  }

  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.root, { recursive: true, force: true });
  }

  /** What the command line prints to open a browser with. */
  cli(...args: string[]): string {
    const env = { PATH: process.env.PATH, HOME: this.home, LANG: "C.UTF-8" };
    return execFileSync(binary(), [...args, "--data-dir", this.dataDir], { env, cwd: this.demo, encoding: "utf8" });
  }

  async api<T>(method: string, path: string, body?: unknown): Promise<T> {
    const token = readFileSync(join(this.dataDir, "token"), "utf8").trim();
    const response = await fetch(`${this.url}/api/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, ...(body !== undefined && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return (text === "" ? null : JSON.parse(text)) as T;
  }

  async launchLink(directory: string | null = null): Promise<string> {
    return (await this.api<{ url: string }>("POST", "/launch", { directory })).url;
  }

  async project(): Promise<{ id: string; name: string }> {
    return this.api("POST", "/projects", { path: this.demo });
  }

  async task(project: string | null = null): Promise<{ id: string; path: string }> {
    const task = await this.api<{ id: string }>("POST", "/tasks", project ? { project_id: project } : {});
    return { id: task.id, path: project ? `/p/${project}/t/${task.id}` : `/t/${task.id}` };
  }

  async send(task: string, text: string, agent = "scripted"): Promise<{ run_id: string; assistant_message_id: string }> {
    return this.api("POST", `/tasks/${task}/messages`, { nonce: crypto.randomUUID(), agent, text });
  }

  /** The texts of the agents' messages as the daemon has them. */
  async answers(task: string): Promise<{ status: string; text: string }[]> {
    interface Chat {
      messages: { role: string; status: string; parts: { type: string; text?: string }[] }[];
    }
    const chat = await this.api<Chat>("GET", `/tasks/${task}/chat`);
    return chat.messages
      .filter(({ role }) => role === "assistant")
      .map(({ status, parts }) => ({ status, text: parts.map((part) => (part.type === "text" ? part.text : "")).join("") }));
  }

  async #ready(): Promise<DaemonFile> {
    const deadline = Date.now() + START_MS;
    const file = join(this.dataDir, "daemon.json");
    while (Date.now() < deadline) {
      if (this.#process?.exitCode !== null) throw new Error(`drover ended at its start: ${this.#process?.exitCode}`);
      if (existsSync(file)) {
        const text = readFileSync(file, "utf8");
        if (text.endsWith("}\n") || text.endsWith("}")) return JSON.parse(text) as DaemonFile;
      }
      await sleep(20);
    }
    throw new Error("drover was not ready in time");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once("exit", resolve));
    child.kill(signal);
    const late = sleep(EXIT_MS, "late", { ref: false });
    if ((await Promise.race([ended, late])) === "late") {
      child.kill("SIGKILL");
      throw new Error(`drover did not end on ${signal}`);
    }
    this.#process = null;
  }
}
