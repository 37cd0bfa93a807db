/** The package that Express takes its router from. It has no types of its own; Express's are those of the same value. */
declare module "router" {
  import { Router } from "express";
  export { Router as default };
}
