-- Calls to the director that somebody has settled on the page of all rooms: the room's base is told,
-- and says itself when the table calls no more.

CREATE TABLE settled_call (
    club integer NOT NULL REFERENCES club,
    -- The table, and when it called, as its base has said it.
    at_table text NOT NULL,
    called bigint NOT NULL,
    at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (club, at_table, called)
);

-- Matches of pairs over all rooms: so many rounds of so many boards.

ALTER TABLE event ADD COLUMN rounds smallint;
ALTER TABLE event ADD COLUMN boards smallint;
-- What earlier sessions of the same pairs came to.
ALTER TABLE event ADD COLUMN carried text;

-- How many tables a room has.
ALTER TABLE club ADD COLUMN tables smallint NOT NULL DEFAULT 0;

CREATE TABLE contestant (
    event integer NOT NULL REFERENCES event,
    number smallint NOT NULL,
    one text NOT NULL,
    other text NOT NULL,
    home text NOT NULL DEFAULT '',
    -- It plays no more from this round on.
    gone smallint,
    PRIMARY KEY (event, number)
);

-- Every draw that was published; the last one of a round counts.
CREATE TABLE draw (
    event integer NOT NULL REFERENCES event,
    round smallint NOT NULL,
    version integer NOT NULL,
    -- Decides what only a lot can: with it anybody can draw again.
    seed bigint NOT NULL,
    text text NOT NULL,
    made timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (event, round, version)
);
