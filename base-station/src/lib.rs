//! The base station of a duplicate-bridge session.
