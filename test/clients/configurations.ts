/** Configuration files as people have them: comments, foreign keys, other servers, every habit of indentation. */

/** A client's file and what is in it. */
export interface Sample {
  readonly client: string;
  /** Below the home directory. */
  readonly path: string;
  readonly title: string;
  readonly text: string;
}

const CLAUDE = `{
  "numStartups": 184,
  "tipsHistory": { "new-user-warmup": 3 },
  "projects": {
    "/home/ada/src/engine": {
      "allowedTools": [],
      "mcpServers": {},
      "hasTrustDialogAccepted": true
    }
  },
  "mcpServers": {
    "github": {
      "type": "http",
      "url": "https://api.example.com/mcp",
      "headers": { "Authorization": "Bearer \${GITHUB_TOKEN}" }
    }
  },
  "oauthAccount": { "emailAddress": "ada@example.com" }
}
`;

const CLAUDE_SETTINGS = `{
    "model": "opus",
    "permissions": {
        "allow": ["Bash(npm run test:*)", "WebFetch"],
        "deny": [
            "Read(./.env)", // secrets
            "Read(./secrets/**)"
        ]
    },
    "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "notify-send done" }] }] }
}`;

const CODEX = `# Codex, the way I like it
model = "gpt-5-codex"
approval_policy = "on-request"   # never "never"
notify = ["notify-send", "Codex"]

[features]
web_search_request = true # keep this

[mcp_servers.docs]
command = "npx"
args = [
  "-y",
  "docs-server",   # a list over several lines
  "[mcp_servers.proctor]",
]
env = { "TOKEN" = "abc#def" }

[projects."/home/ada/src/engine"]
trust_level = "trusted"

[tui]
banner = """
[mcp_servers.proctor]
is only a text here
"""
# the end
`;

const GEMINI = `{
\t// Gemini reads comments
\t"general": { "vimMode": true },
\t"security": { "auth": { "selectedType": "oauth-personal" } },
\t/* servers */
\t"mcpServers": {
\t\t"weather": { "command": "uvx", "args": ["weather"] }, // local
\t},
\t"tools": { "exclude": ["write_file"], "sandbox": false, },
}
`;

const OPENCODE = `{
  "$schema": "https://opencode.ai/config.json",
  // "model": "anthropic/claude-sonnet-4-5",
  "model": "openai/gpt-5", /* for now */
  "keybinds": { "leader": "ctrl+x" },
  "mcp": {
    // nothing here yet
  },
  "permission": { "bash": { "git push": "ask" } }
}
`;

/** The samples. */
export const SAMPLES: readonly Sample[] = [
  { client: "claude", path: ".claude.json", title: "its own state and another server", text: CLAUDE },
  { client: "claude", path: ".claude.json", title: "on one line", text: JSON.stringify(JSON.parse(CLAUDE)) },
  { client: "claude", path: ".claude/settings.json", title: "a list with comments", text: CLAUDE_SETTINGS },
  { client: "codex", path: ".codex/config.toml", title: "strings and lists that look like headers", text: CODEX },
  {
    client: "codex",
    path: ".codex/config.toml",
    title: "lines that end in CR LF",
    text: CODEX.replaceAll("\n", "\r\n"),
  },
  { client: "codex", path: ".codex/config.toml", title: "no line end at the end", text: 'model = "o3" # mine' },
  { client: "codex", path: ".codex/config.toml", title: "only comments", text: "# nothing yet\n\n" },
  { client: "gemini", path: ".gemini/settings.json", title: "tabs and trailing commas", text: GEMINI },
  { client: "gemini", path: ".gemini/settings.json", title: "a byte order mark", text: `\uFEFF${GEMINI}` },
  { client: "gemini", path: ".gemini/settings.json", title: "an empty object", text: "{}" },
  {
    client: "opencode",
    path: ".config/opencode/opencode.jsonc",
    title: "an object that holds a comment",
    text: OPENCODE,
  },
  {
    client: "opencode",
    path: ".config/opencode/opencode.json",
    title: "CR LF",
    text: OPENCODE.replaceAll("\n", "\r\n"),
  },
  {
    client: "pi",
    path: ".pi/agent/mcp.json",
    title: "another server",
    text: '{ "mcpServers": { "a": { "command": "b" } } }\n',
  },
  {
    client: "pi",
    path: ".pi/agent/settings.json",
    title: "tools of its own",
    text: '{\n  "defaultTools": [ "+codemode" ]\n}\n',
  },
  { client: "qwen", path: ".qwen/settings.json", title: "an empty file", text: "" },
  {
    client: "qwen",
    path: ".qwen/settings.json",
    title: "a deny list",
    text: '{"permissions":{"deny":["web_fetch"]}}\n',
  },
  { client: "copilot", path: ".copilot/mcp-config.json", title: "no servers", text: '{\n\t"mcpServers": {}\n}\n' },
  {
    client: "cursor",
    path: ".cursor/mcp.json",
    title: "a url",
    text: '{\n  "mcpServers": {\n    "x": { "url": "http://localhost:1" }\n  }\n}',
  },
];

/** The clients whose own shell can be turned off. */
export const SWITCHABLE: readonly string[] = ["claude", "codex", "gemini", "opencode", "pi", "qwen"];
