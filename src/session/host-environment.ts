/**
 * What a host's own environment is: the little that it needs to find its files and programs. Nothing of
 * the face that happened to start it, neither its secrets nor a marker that would make the host a member
 * of the run that the face was called in.
 */

const KEPT =
  /^(PATH|HOME|USER|LOGNAME|SHELL|TMPDIR|LANG|LC_ALL|TZ|XDG_[A-Z_]+|PROCTOR_(MAX_HEAVY_JOBS|LOG_MAX_BYTES|LOG_TTL_MS|HOST_LINGER_MS|SHELL|TERMINAL))$/;

/** The part of `env` that a host gets. */
export function hostEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) if (value !== undefined && KEPT.test(name)) kept[name] = value;
  return kept;
}
