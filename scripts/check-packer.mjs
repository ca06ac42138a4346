// Before a package is packed. Plain JavaScript, as all scripts that npm itself may start with an old Node.
const { npm_config_user_agent: packer = "" } = process.env;

if (!packer.startsWith("pnpm/")) {
  console.error(
    "Only pnpm replaces `exports` by those in `publishConfig`; the package that npm makes cannot be imported. In the root of the repository: npm run pack -- NAME",
  );
  process.exit(1);
}
