//! Pads that run on a PC.
