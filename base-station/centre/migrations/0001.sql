-- Everything that a centre knows. Records are the truth; where a base stands is kept beside them so
-- that nobody has to read them all to take the next one.

CREATE TABLE setting (
    name text PRIMARY KEY,
    value text NOT NULL
);

-- Who is signed in at the organiser's pages: only a hash of what the browser has.
CREATE TABLE sign_in (
    hash bytea PRIMARY KEY,
    until timestamptz NOT NULL
);

CREATE TABLE event (
    event integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    -- matchpoints, cross_imps or butler
    method text NOT NULL,
    created timestamptz NOT NULL DEFAULT now(),
    -- How many records of all its bases were taken: the next one has this place and one more.
    records bigint NOT NULL DEFAULT 0,
    -- Counts up whenever its name, its clubs or their bases change.
    edition bigint NOT NULL DEFAULT 1,
    -- The final result and the centre's signature under it; nothing is taken after it.
    final text,
    signature text
);

CREATE TABLE club (
    club integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    event integer NOT NULL REFERENCES event,
    name text NOT NULL,
    region text NOT NULL DEFAULT '',
    -- A hash of the code with which its base may join; none when it was used.
    code bytea UNIQUE,
    -- The base that is listened to.
    base integer,
    withdrawn boolean NOT NULL DEFAULT false
);
CREATE INDEX ON club (event);

CREATE TABLE base (
    base integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    club integer NOT NULL REFERENCES club,
    event integer NOT NULL REFERENCES event,
    -- Its public key, and a hash of what it reads its club's results with.
    key bytea NOT NULL UNIQUE,
    token bytea NOT NULL,
    joined timestamptz NOT NULL DEFAULT now(),
    -- Where its chain of records stands.
    seq bigint NOT NULL DEFAULT 0,
    link bytea NOT NULL,
    heard timestamptz,
    -- Another base of the club has taken its place.
    retired timestamptz
);
ALTER TABLE club ADD FOREIGN KEY (base) REFERENCES base;

CREATE TABLE record (
    base integer NOT NULL REFERENCES base,
    seq bigint NOT NULL,
    event integer NOT NULL,
    -- In what order the event took it.
    place bigint NOT NULL,
    -- As the base wrote it, and its link in the base's chain.
    text text NOT NULL,
    link bytea NOT NULL,
    taken timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (base, seq)
);
CREATE UNIQUE INDEX ON record (event, place);

-- What people should know of a base: a gap, two histories, a record that is no longer what it was.
CREATE TABLE trouble (
    base integer NOT NULL REFERENCES base,
    kind text NOT NULL,
    at bigint NOT NULL,
    first timestamptz NOT NULL DEFAULT now(),
    last timestamptz NOT NULL DEFAULT now(),
    times bigint NOT NULL DEFAULT 1,
    PRIMARY KEY (base, kind, at)
);
