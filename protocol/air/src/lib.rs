//! A simulated radio channel.
