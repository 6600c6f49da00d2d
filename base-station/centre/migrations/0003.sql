-- Rooms of one congress: their bases say how far each table is and who calls the director.

ALTER TABLE event ADD COLUMN rooms boolean NOT NULL DEFAULT false;
