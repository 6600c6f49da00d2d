// Reads every table of BWS files with npm's mdb-reader: rows as JSON, a line a file.

const fs = require("node:fs");
const path = require("node:path");

(async () => {
  const folder = path.join(process.argv[2], "node_modules", "mdb-reader");
  const { main } = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));
  const { default: MDBReader } = await import(path.join(folder, main));
  for (const file of process.argv.slice(3)) {
    const reader = new MDBReader(fs.readFileSync(file));
    const found = {};
    for (const name of reader.getTableNames()) {
      found[name] = reader.getTable(name).getData().map((row) =>
        Object.fromEntries(Object.entries(row).map(([key, value]) => [key, value instanceof Date ? value.toISOString() : value])));
    }
    console.log(JSON.stringify(found));
  }
})();
