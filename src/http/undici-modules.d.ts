// undici's own files, taken one by one: its index also loads fetch, WebSocket, caches and mocks, which doubles the
// time until the command's first request. They carry no types of their own.
declare module "undici/lib/dispatcher/agent.js" {
  import type { Agent } from "undici";
  const constructor: typeof Agent;
  export default constructor;
}
declare module "undici/lib/api/api-request.js" {
  import type { Dispatcher } from "undici";
  /** Called with the dispatcher as `this`, as undici's index does it. */
  function request(this: Dispatcher, options: Dispatcher.RequestOptions): Promise<Dispatcher.ResponseData>;
  export default request;
}
