import { mkdirSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";

/** The part of the `github` context that reaches an action. */
export interface GithubContext {
  serverUrl: string;
  apiUrl: string;
  repository: string;
  runId: string;
  runAttempt: string;
  job: string;
  workflow: string;
  eventName: string;
  /** `github.token`: not in the environment, only in expressions. */
  token: string;
}

export const defaultContext: GithubContext = {
  serverUrl: "https://github.com",
  apiUrl: "https://api.github.com",
  repository: "example/infrastructure",
  runId: "4711",
  runAttempt: "1",
  job: "templates",
  workflow: "refresh templates",
  eventName: "workflow_dispatch",
  token: "",
};

export interface RunDirectories {
  workspace: string;
  temp: string;
  home: string;
  toolCache: string;
}

export function makeRunDirectories(root: string): RunDirectories {
  const directories = {
    workspace: path.join(root, "workspace"),
    temp: path.join(root, "temp"),
    home: path.join(root, "home"),
    toolCache: path.join(root, "tools"),
  };
  for (const directory of Object.values(directories)) mkdirSync(directory, { recursive: true });
  return directories;
}

/**
 * The variables that every step of a job sees. Nothing of this process's environment goes in but PATH.
 * https://docs.github.com/en/actions/reference/workflows-and-actions/variables
 */
export function jobEnvironment(
  context: GithubContext,
  directories: RunDirectories,
  actionDirectory: string,
): Record<string, string> {
  const event = path.join(directories.temp, "event.json");
  writeFileSync(event, "{}");
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: directories.home,
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_ACTION: "__self",
    GITHUB_ACTION_PATH: actionDirectory,
    GITHUB_ACTOR: "octocat",
    GITHUB_API_URL: context.apiUrl,
    GITHUB_EVENT_NAME: context.eventName,
    GITHUB_EVENT_PATH: event,
    GITHUB_GRAPHQL_URL: context.apiUrl.replace(/\/?$/, "/graphql"),
    GITHUB_JOB: context.job,
    GITHUB_REF: "refs/heads/main",
    GITHUB_REF_NAME: "main",
    GITHUB_REPOSITORY: context.repository,
    GITHUB_REPOSITORY_OWNER: context.repository.split("/")[0] ?? "",
    GITHUB_RUN_ATTEMPT: context.runAttempt,
    GITHUB_RUN_ID: context.runId,
    GITHUB_RUN_NUMBER: "1",
    GITHUB_SERVER_URL: context.serverUrl,
    GITHUB_SHA: "0".repeat(40),
    GITHUB_WORKFLOW: context.workflow,
    GITHUB_WORKSPACE: directories.workspace,
    RUNNER_ARCH: os.arch() === "arm64" ? "ARM64" : "X64",
    RUNNER_ENVIRONMENT: "self-hosted",
    RUNNER_NAME: "mini-runner",
    RUNNER_OS: "Linux",
    RUNNER_TEMP: directories.temp,
    RUNNER_TOOL_CACHE: directories.toolCache,
  };
}

/** `INPUT_*` names: upper case, blanks to underscores; dashes stay. */
export const inputVariable = (name: string): string => `INPUT_${name.replaceAll(" ", "_").toUpperCase()}`;
