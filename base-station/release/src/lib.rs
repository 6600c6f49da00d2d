//! What a release of Byestand says about the parts it is made of.

pub mod pads;
pub mod supply_chain;
