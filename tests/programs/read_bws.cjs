// Reads every table of a BWS file with npm's mdb-reader: rows as JSON.

const fs = require("node:fs");
const path = require("node:path");

(async () => {
  const folder = path.join(process.argv[2], "node_modules", "mdb-reader");
  const { main } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const { default: MDBReader } = await import(path.join(folder, main));
  const reader = new MDBReader(fs.readFileSync(process.argv[3]));
  const found = {};
  for (const name of reader.getTableNames()) {
    found[name] = reader.getTable(name).getData().map((row) =>
      Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value])));
  }
  console.log(JSON.stringify(found));
})();
