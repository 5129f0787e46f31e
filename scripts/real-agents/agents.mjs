/**
 * How each real agent CLI is started against the scripted model: arguments, environment, and files of its home.
 * `isPair`: an outer process that passes no signal on to the inner one, so that both get it. `keepsShell`: no
 * setting turns its own shell off.
 */
import { join } from "node:path";

const PROMPT = "Say hello, using a tool if you need one";

export const AGENTS = {
  claude: ({ base }) => ({
    args: ["-p", PROMPT, "--output-format", "stream-json", "--verbose", "--allowedTools", "Bash"],
    env: {
      ANTHROPIC_BASE_URL: base,
      ANTHROPIC_API_KEY: "dummy-key",
      CLAUDE_CODE_MAX_RETRIES: "1",
      DISABLE_AUTOUPDATER: "1",
      DISABLE_TELEMETRY: "1",
      DISABLE_ERROR_REPORTING: "1",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    },
    files: {},
  }),
  codex: ({ base, home }) => ({
    args: ["exec", "--json", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", PROMPT],
    env: { CODEX_HOME: join(home, ".codex"), FAKE_API_KEY: "dummy-key" },
    files: {
      ".codex/config.toml": [
        'model = "fake-model"',
        'model_provider = "fake"',
        "check_for_update_on_startup = false",
        'web_search = "disabled"',
        "[analytics]",
        "enabled = false",
        "[otel]",
        'exporter = "none"',
        "[model_providers.fake]",
        'name = "fake"',
        `base_url = "${base}/v1"`,
        'wire_api = "responses"',
        'env_key = "FAKE_API_KEY"',
        "supports_websockets = false",
        "request_max_retries = 1",
        "stream_max_retries = 1",
        "",
      ].join("\n"),
    },
  }),
  pi: ({ base, home }) => ({
    args: ["--mode", "json", "--model", "fake/fake-model", "--offline", PROMPT],
    env: {
      PI_CODING_AGENT_DIR: join(home, ".pi/agent"),
      FAKE_API_KEY: "dummy-key",
      PI_OFFLINE: "1",
      PI_SKIP_VERSION_CHECK: "1",
      PI_TELEMETRY: "0",
    },
    files: {
      ".pi/agent/models.json": JSON.stringify({
        providers: {
          fake: {
            baseUrl: `${base}/v1`,
            api: "openai-completions",
            apiKey: "$FAKE_API_KEY",
            models: [
              {
                id: "fake-model",
                name: "Fake Model",
                reasoning: true,
                input: ["text"],
                cost: { input: 1, output: 2, cacheRead: 0.1, cacheWrite: 0 },
                contextWindow: 200000,
                maxTokens: 16000,
              },
            ],
          },
        },
      }),
    },
  }),
  gemini: ({ base }) => ({
    args: ["-p", PROMPT, "-o", "stream-json", "--approval-mode", "yolo", "--skip-trust", "-m", "gemini-2.5-flash"],
    env: {
      GEMINI_API_KEY: "dummy-key",
      GOOGLE_GEMINI_BASE_URL: base,
      GEMINI_TELEMETRY_ENABLED: "false",
      // One process instead of two: the outer one passes no signal on.
      GEMINI_CLI_NO_RELAUNCH: "true",
    },
    files: {
      ".gemini/settings.json": `${JSON.stringify(
        {
          general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          security: { auth: { selectedType: "gemini-api-key" } },
        },
        null,
        2,
      ).replace("{", "{\n  // The model is on this machine.")}\n`,
    },
  }),
  opencode: ({ base }) => ({
    args: ["run", "--format", "json", "--auto", "-m", "fake/fake-model", PROMPT],
    env: {
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
      FAKE_API_KEY: "dummy-key",
    },
    files: {
      ".config/opencode/opencode.jsonc": `// The model is on this machine.\n${JSON.stringify({
        autoupdate: false,
        share: "disabled",
        model: "fake/fake-model",
        small_model: "fake/fake-model",
        provider: {
          fake: {
            npm: "@ai-sdk/openai-compatible",
            name: "Fake",
            options: { baseURL: `${base}/v1`, apiKey: "{env:FAKE_API_KEY}" },
            models: {
              "fake-model": { name: "Fake Model", tool_call: true, limit: { context: 200000, output: 16000 } },
            },
          },
        },
      })}\n`,
    },
  }),
  qwen: ({ base }) => ({
    args: [PROMPT, "--output-format", "stream-json", "--approval-mode", "yolo", "--auth-type", "openai"],
    env: { OPENAI_API_KEY: "dummy-key", OPENAI_BASE_URL: `${base}/v1`, OPENAI_MODEL: "fake-model" },
    files: {
      ".qwen/settings.json": `${JSON.stringify(
        {
          // Of an older one it makes a newer one at its start.
          $version: 4,
          general: { enableAutoUpdate: false },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          security: { auth: { selectedType: "openai" } },
        },
        null,
        4,
      )}\n`,
    },
    isPair: true,
  }),
  copilot: ({ base, home }) => ({
    args: [
      "-p",
      PROMPT,
      "--output-format",
      "json",
      "--allow-all-tools",
      "--allow-all-paths",
      "--no-auto-update",
      "--disable-builtin-mcps",
      "--no-color",
    ],
    env: {
      COPILOT_HOME: join(home, ".copilot"),
      COPILOT_OFFLINE: "true",
      COPILOT_AUTO_UPDATE: "false",
      COPILOT_PROVIDER_BASE_URL: `${base}/v1`,
      COPILOT_PROVIDER_API_KEY: "dummy-key",
      COPILOT_PROVIDER_TYPE: "openai",
      COPILOT_MODEL: "fake-model",
    },
    files: { ".copilot/mcp-config.json": '{\n  "mcpServers": {}\n}\n' },
    isPair: true,
    keepsShell: true,
  }),
};
