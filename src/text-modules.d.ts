// Files that are bundled as text: rolldown's `moduleTypes` does it for `dist/`, `test/text-modules.mjs` for unbundled runs.
declare module "*.sh" {
  const text: string;
  export default text;
}
declare module "*.service" {
  const text: string;
  export default text;
}
declare module "*.asc" {
  const text: string;
  export default text;
}
