/** The tools whose layout is known, as one table. None of them is needed for the general rules to work. */
import { ansible } from "./ansible.ts";
import { apt } from "./apt.ts";
import { autotools } from "./autotools.ts";
import { ava } from "./ava.ts";
import { biome } from "./biome.ts";
import { bundler, bundlerWarning } from "./bundler.ts";
import { cCompiler, cWarning } from "./c-compiler.ts";
import { cmake } from "./cmake.ts";
import { coverage } from "./coverage.ts";
import { ctest, gtest } from "./ctest.ts";
import { docker } from "./docker.ts";
import { doctest } from "./doctest.ts";
import { eslint } from "./eslint.ts";
import { failedTitle } from "./failed-title.ts";
import { gdb } from "./gdb.ts";
import { git } from "./git.ts";
import { go, goPanic, goRace, goTimeout } from "./go.ts";
import { java } from "./java.ts";
import { jest } from "./jest.ts";
import { junit, junitSummary } from "./junit.ts";
import { make } from "./make.ts";
import { meson } from "./meson.ts";
import { monorepo } from "./monorepo.ts";
import { nodeTest } from "./node-test.ts";
import { npm } from "./npm.ts";
import { numbered } from "./numbered.ts";
import { perl, perlMessage, perlWarning } from "./perl.ts";
import { pylint } from "./pylint.ts";
import { pytest, pytestSummary } from "./pytest.ts";
import { python } from "./python.ts";
import { inOneForm, type Recogniser } from "./recogniser.ts";
import { rust, rustPanic } from "./rust.ts";
import { sanitizer, valgrind } from "./sanitizer.ts";
import { tap } from "./tap.ts";
import { terraform } from "./terraform.ts";
import { tsc } from "./tsc.ts";
import { unittest } from "./unittest.ts";
import { vitest } from "./vitest.ts";
import { wget } from "./wget.ts";

export { inOneForm, type Recogniser } from "./recogniser.ts";

/** In the order in which they are asked who a row belongs to; layouts that are more particular come first. */
export const RECOGNISERS: readonly Recogniser[] = [
  tap,
  jest,
  vitest,
  nodeTest,
  ava,
  pytest,
  pytestSummary,
  unittest,
  doctest,
  numbered,
  rust,
  rustPanic,
  perl,
  perlWarning,
  perlMessage,
  sanitizer,
  valgrind,
  gdb,
  junit,
  junitSummary,
  java,
  gtest,
  ctest,
  meson,
  tsc,
  biome,
  eslint,
  pylint,
  cmake,
  make,
  cCompiler,
  cWarning,
  go,
  goTimeout,
  goPanic,
  goRace,
  bundler,
  bundlerWarning,
  npm,
  monorepo,
  docker,
  apt,
  ansible,
  autotools,
  git,
  terraform,
  wget,
  python,
  coverage,
  failedTitle,
].map(inOneForm);
