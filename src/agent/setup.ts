/** A configuration that was checked and resolved: everything that an attempt needs, with nothing left to find. */
import { mkdirSync } from "node:fs";
import { DEFAULT_GRACE_MS, ProctorError } from "../model/index.ts";
import type { Limits, SandboxSpec, SessionApi } from "../model/index.ts";
import type { SupervisorPolicy } from "../machine/index.ts";
import { resolveSandbox, sandboxPolicy } from "../os/index.ts";
import { detect, findBinary, providerNamed } from "../providers/index.ts";
import type { ProviderAdapter } from "../providers/index.ts";
import { defaultSessionDir, stateHome } from "../session/access.ts";
import { commandEnvironment } from "../session/index.ts";
import { checkConfig, limitsOf, policyOf } from "./check-config.ts";
import type { RunConfig } from "./config.ts";
import { domainSandbox } from "./domain-sandbox.ts";
import type { DomainSandbox } from "./domain-sandbox.ts";

/** What a run is made of. */
export interface AgentSetup {
  readonly config: RunConfig;
  readonly adapter: ProviderAdapter;
  /** Absolute. */
  readonly binary: string;
  readonly args: readonly string[];
  /** What is executed: the program and its arguments, inside whatever had to be put around them here. */
  readonly command: readonly string[];
  /** Lets go of what stands around the run. */
  readonly release: () => Promise<void>;
  readonly env: Readonly<Record<string, string>>;
  /** Names in `env` whose values must not be written to disk. */
  readonly unrecorded: readonly string[];
  readonly limits: Limits;
  readonly policy: SupervisorPolicy;
  readonly sandbox: SandboxSpec | null;
  readonly graceMs: number;
  readonly idleGraceMs: number;
  readonly api: SessionApi;
}

/** Everything of a setup but the session, which is opened last. */
export type SetupWithoutSession = Omit<AgentSetup, "api">;

/**
 * Checks and resolves a configuration; starts nothing but the program's own `--version` where `minVersion` asks
 * for it, and the sandbox tool's trial.
 *
 * @throws ProctorError naming the field.
 * @throws the signal's own reason when it was aborted already.
 */
export async function resolveSetup(config: RunConfig): Promise<SetupWithoutSession> {
  checkConfig(config);
  config.signal?.throwIfAborted();
  const adapter = typeof config.provider === "string" ? providerNamed(config.provider) : config.provider;
  if (typeof adapter?.parser !== "function")
    throw new ProctorError(
      "ERR_INPUT_AGENT",
      "provider: neither a name nor an adapter. Accepted: a built-in name, or an object with name, binary and parser.",
    );
  // The agent gets what it is given, secrets included: it needs its key. They are only kept off the disk.
  const { env, unrecorded } =
    config.env === undefined
      ? commandEnvironment(process.env, {}, true)
      : commandEnvironment({}, definedOf(config.env), true);
  let program = config.binary ?? adapter.binary;
  let { args } = config;
  if (program === "") {
    const [first, ...rest] = args;
    if (first === undefined)
      throw new ProctorError(
        "ERR_INPUT_AGENT",
        `binary: provider "${adapter.name}" has no program of its own. Accepted: binary, or the program as the first of args.`,
      );
    program = first;
    args = rest;
  }
  const binary = findBinary(program, env);
  if (config.minVersion !== undefined) await checkVersion({ ...adapter, binary }, config.minVersion, env);
  const held = await sandboxOf(config, [binary, ...args], env);
  return {
    config,
    adapter,
    binary,
    args,
    command: held.argv,
    release: () => held.release(),
    env: held.env,
    unrecorded,
    limits: limitsOf(config),
    policy: policyOf(config),
    sandbox: held.spec,
    graceMs: config.waitDelayMs ?? DEFAULT_GRACE_MS,
    idleGraceMs: config.supervisor?.idleKillGraceMs ?? DEFAULT_GRACE_MS,
  };
}

/** The sandbox that was asked for: one that the engine makes, or one that needs this process's proxies. */
async function sandboxOf(
  config: RunConfig,
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Omit<DomainSandbox, "spec"> & { readonly spec: SandboxSpec | null }> {
  const plain = { argv, env, release: (): Promise<void> => Promise.resolve() };
  if (config.profile === undefined) return { ...plain, spec: null };
  const policy = sandboxPolicy(config.profile, config.workspace);
  if (typeof policy.network === "string") return { ...plain, spec: resolveSandbox(config.profile, config.workspace) };
  // The session is made later, and what is not there can't be hidden.
  const hidden = [stateHome(), config.session ?? defaultSessionDir()];
  for (const dir of hidden) {
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
    } catch {
      // Whoever opens the session says what is wrong with it.
    }
  }
  return domainSandbox(policy, argv, env, { cwd: config.workspace, hidden });
}

function definedOf(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const defined: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined) defined[name] = value;
  return defined;
}

async function checkVersion(
  adapter: ProviderAdapter,
  wanted: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const { path, version } = await detect(adapter, env);
  if (version !== null && isAtLeast(version, wanted)) return;
  throw new ProctorError(
    "ERR_HOST_PROVIDER",
    `minVersion: ${path} is ${version === null ? "of an unknown version" : `version ${version}`}, and at least ${wanted} was asked for.`,
    {
      details: { field: "minVersion", value: wanted, found: version },
    },
  );
}

function isAtLeast(version: string, wanted: string): boolean {
  const [have = [], want = []] = [version, wanted].map((text) => (text.split(/[-+]/)[0] ?? "").split(".").map(Number));
  for (let i = 0; i < want.length; i++) {
    const difference = (have[i] ?? 0) - (want[i] ?? 0);
    if (difference !== 0) return difference > 0;
  }
  return true;
}
