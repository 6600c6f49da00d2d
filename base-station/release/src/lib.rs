//! What a release of Byestand says about the parts it is made of.

pub mod supply_chain;
