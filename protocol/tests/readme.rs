//! The worked examples of the wire format.
