"""Reads a PBN file with endplay and says what it found, as JSON."""

import json
import sys

from endplay.parsers import pbn

with open(sys.argv[1], encoding="utf-8") as file:
    boards = pbn.load(file)
print(
    json.dumps(
        {
            "boards": [board.board_num for board in boards],
            "deals": [board.deal.to_pbn() for board in boards],
            "rows": [len(board.info.ScoreTable["rows"]) for board in boards],
            "totals": len(boards[0].info.TotalScoreTable["rows"]),
        }
    )
)
