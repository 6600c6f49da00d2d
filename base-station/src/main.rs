//! `byestand`: the base station on the director's laptop.

fn main() {}
