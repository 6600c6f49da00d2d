//! QEMU's qtest socket: reads and writes the emulated chip's memory while it runs.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;

/// A line to one emulated chip.
#[derive(Debug)]
pub(crate) struct Qtest {
    answers: BufReader<UnixStream>,
    commands: UnixStream,
}

impl Qtest {
    pub(crate) fn new(stream: UnixStream) -> Self {
        let commands = stream.try_clone().expect("a socket can be cloned");
        Self {
            answers: BufReader::new(stream),
            commands,
        }
    }

    pub(crate) fn write_u64(&mut self, address: u64, value: u64) {
        self.ask(&format!("writeq {address:#x} {value:#x}"));
    }

    pub(crate) fn write_u32(&mut self, address: u64, value: u32) {
        self.ask(&format!("writel {address:#x} {value:#x}"));
    }

    pub(crate) fn read_u32(&mut self, address: u64) -> u32 {
        let answer = self.ask(&format!("readl {address:#x}"));
        u32::from_str_radix(answer.trim_start_matches("0x").trim_start_matches('0'), 16)
            .unwrap_or(0)
    }

    pub(crate) fn read(&mut self, address: u64, length: usize) -> Vec<u8> {
        let answer = self.ask(&format!("read {address:#x} {length:#x}"));
        let digits = answer.trim_start_matches("0x");
        (0..digits.len() / 2)
            .map(|byte| {
                u8::from_str_radix(&digits[2 * byte..2 * byte + 2], 16)
                    .expect("qtest answers in hexadecimal")
            })
            .collect()
    }

    /// Sets the level of an input pin, which the chip's wake-up lines see.
    pub(crate) fn set_pin(&mut self, port: char, pin: u8, high: bool) {
        let level = u8::from(high);
        self.ask(&format!(
            "set_irq_in /machine/soc/gpio{port} unnamed-gpio-in {pin} {level}"
        ));
    }

    fn ask(&mut self, command: &str) -> String {
        let mut line = String::new();
        writeln!(line, "{command}").expect("strings take everything");
        self.commands
            .write_all(line.as_bytes())
            .expect("the emulator listens");
        line.clear();
        self.answers
            .read_line(&mut line)
            .expect("the emulator answers");
        line.trim()
            .strip_prefix("OK")
            .unwrap_or_else(|| panic!("qtest refused `{command}`: {line}"))
            .trim()
            .to_owned()
    }
}
