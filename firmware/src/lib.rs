//! The application of a table pad: keys in, screens and messages out.
#![no_std]
