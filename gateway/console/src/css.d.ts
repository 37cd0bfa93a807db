declare module "*.module.css" {
  const classes: Readonly<Record<string, string>>;
  export { classes as default };
}
declare module "*.css";
declare module "styles:all";
