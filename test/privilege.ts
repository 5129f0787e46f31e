/**
 * What only root can set up: file systems of a test's own, and other users. Such tests are left out for everybody else,
 * who can still run all others; CI runs as root.
 */
export const isRoot: boolean = process.getuid?.() === 0;
