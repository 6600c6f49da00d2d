// Reads a PBN file with npm's pbn and says what it found, as JSON.

const fs = require("node:fs");
const path = require("node:path");
const pbn = require(path.join(process.argv[2], "node_modules", "pbn"));

const found = { boards: [], lines: 0 };
fs.createReadStream(process.argv[3])
  .pipe(pbn())
  .on("data", (part) => {
    if (part.type !== "tag") return;
    if (part.name === "Board") found.boards.push(Number(part.value));
    if (part.name === "ScoreTable") found.lines += part.section.filter((line) => line.trim()).length;
  })
  .on("error", (fault) => {
    console.error(fault);
    process.exit(1);
  })
  .on("end", () => console.log(JSON.stringify(found)));
