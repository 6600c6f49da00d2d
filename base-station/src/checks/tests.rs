//! Stories of the room.
