// Times the npm package bridge-scorer on the boards that the benchmark wrote, and answers with
// its results, so that both sides are known to compute the same thing.
'use strict';

const fs = require('fs');
const path = require('path');

const folder = process.argv[2];
const scorer = require(path.join(folder, 'node_modules', 'bridge-scorer'));
const sizes = JSON.parse(fs.readFileSync(path.join(folder, 'boards.json'), 'utf8'));

// The peer writes into the games, so they are made once, as its callers would have them.
const games = (scores) => scores.map((score) => ({
  contract: { declaror: score < 0 ? 'E' : 'N' },
  score: Math.abs(score),
}));

const methods = {
  matchpoints: { run: scorer.matchpoints, points: (game) => game.matchpointsNS.value },
  'cross-IMPs': { run: scorer.crossImps, points: (game) => game.impsNS.value },
  Butler: { run: scorer.butler, points: (game) => game.impsNS.value },
};

const answer = [];
for (const [results, boards] of Object.entries(sizes)) {
  for (const [name, method] of Object.entries(methods)) {
    const travellers = boards.map(games);
    const warm = Date.now() + 300;
    while (Date.now() < warm) travellers.forEach((traveller) => method.run(traveller));
    let best = Infinity;
    const until = Date.now() + 1500;
    while (Date.now() < until) {
      const start = process.hrtime.bigint();
      for (const traveller of travellers) method.run(traveller);
      const took = Number(process.hrtime.bigint() - start) / travellers.length;
      if (took < best) best = took;
    }
    const points = travellers.map((traveller) => traveller.map(method.points));
    answer.push({ results: Number(results), method: name, nanoseconds: best, points });
  }
}
fs.writeFileSync(path.join(folder, 'peer.json'), JSON.stringify(answer));
