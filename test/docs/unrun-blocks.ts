/**
 * Why the blocks that are marked `text` cannot be run by a test, by page: readers see that they are no tested commands. A page
 * that is not here has none.
 */
export const UNRUN_BLOCKS: Readonly<Record<string, string>> = {
  "CONTRIBUTING.md": "needs a container engine",
  "docs/backup.md":
    "needs systemd, MongoDB's tools or a container engine; test/processes/copy and the tests of backup cover the command",
  "docs/deploy.md": "needs root, systemd or a container engine; .ci/containers runs the image and Compose",
  "docs/files.md": "installs packages of a system",
  "docs/kubernetes.md": "needs a cluster; .ci/cluster installs the chart on a Kubernetes API",
  "docs/observability.md": "needs promtool, which .ci/deploy runs; or shows spans",
  "docs/own-models.md": "downloads models and packages from the internet",
  "docs/recipes.md": "needs a bucket, cron, or packages of Python",
  "docs/rpc.md": "needs grpcurl, or packages of Python",
  "docs/upgrade.md": "needs a cluster; .ci/cluster upgrades one",
};
