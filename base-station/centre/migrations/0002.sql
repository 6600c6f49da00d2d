-- A sealed copy of a club's journal, piece by piece. Only the club's key opens it.

CREATE TABLE copy (
    club integer PRIMARY KEY REFERENCES club,
    -- Whoever can sign for this public key has the club's key, and may have the copy.
    reader bytea NOT NULL,
    -- How far the journal was, and what the club knows that place again by.
    upto bigint NOT NULL,
    mark text NOT NULL,
    pieces integer NOT NULL,
    made timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX ON copy (reader);

CREATE TABLE copy_piece (
    club integer NOT NULL REFERENCES copy ON DELETE CASCADE,
    n integer NOT NULL,
    sealed text NOT NULL,
    PRIMARY KEY (club, n)
);
