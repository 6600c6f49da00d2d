//! SPI1 with a Sharp memory LCD (400 x 240, write only) at its end.

/// Bytes of one line.
const LINE: u32 = 50;
const LINES: u32 = 240;

const LOWEST_BIT_FIRST: u32 = 1 << 7;
const STATUS: u32 = 0x08;
const DATA: u32 = 0x0C;
/// Transmit buffer empty, nothing else: this bus is never busy and never receives.
const READY: u32 = 1 << 1;

/// Where in a transfer the display is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Expecting {
    Command,
    LineNumber,
    Pixels { line: u32, column: u32 },
    EndOfLine,
    Nothing,
}

/// The bus and the display.
pub struct Display {
    registers: [u32; 8],
    expecting: Expecting,
}

impl Display {
    /// Powered, and deselected.
    pub const fn at_rest() -> Self {
        Self {
            registers: [0; 8],
            expecting: Expecting::Command,
        }
    }

    /// What a load from one of SPI1's registers answers.
    pub fn load(&self, offset: u32) -> u32 {
        match offset {
            STATUS => READY,
            DATA => 0,
            _ => self
                .registers
                .get((offset / 4) as usize)
                .copied()
                .unwrap_or(0),
        }
    }

    /// Takes a store to one of SPI1's registers; `pixels` is told the position and the value of
    /// every byte that reaches the display's memory.
    pub fn store(&mut self, offset: u32, value: u32, selected: bool, pixels: impl FnMut(u32, u8)) {
        if offset == DATA {
            if selected {
                // The model counts bits in the order of sending, the first in bit 0.
                let byte = (value & 0xFF) as u8;
                let lowest_first = self.registers[0] & LOWEST_BIT_FIRST != 0;
                self.receive(
                    if lowest_first {
                        byte
                    } else {
                        byte.reverse_bits()
                    },
                    pixels,
                );
            }
        } else if let Some(register) = self.registers.get_mut((offset / 4) as usize) {
            *register = value;
        }
    }

    /// The chip select line fell: the next byte is a command again.
    pub fn deselect(&mut self) {
        self.expecting = Expecting::Command;
    }

    fn receive(&mut self, byte: u8, mut pixels: impl FnMut(u32, u8)) {
        self.expecting = match self.expecting {
            Expecting::Command if byte & 4 != 0 => {
                (0..LINES * LINE).for_each(|position| pixels(position, 0xFF));
                Expecting::Nothing
            }
            Expecting::Command if byte & 1 != 0 => Expecting::LineNumber,
            Expecting::Command | Expecting::Nothing => Expecting::Nothing,
            Expecting::LineNumber => match u32::from(byte) {
                line @ 1..=LINES => Expecting::Pixels {
                    line: line - 1,
                    column: 0,
                },
                _ => Expecting::Nothing,
            },
            Expecting::Pixels { line, column } => {
                pixels(line * LINE + column, byte);
                if column + 1 == LINE {
                    Expecting::EndOfLine
                } else {
                    Expecting::Pixels {
                        line,
                        column: column + 1,
                    }
                }
            }
            Expecting::EndOfLine => Expecting::LineNumber,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{DATA, Display, LOWEST_BIT_FIRST};

    #[test]
    fn a_line_lands_where_its_number_says() {
        let mut display = Display::at_rest();
        let mut memory = [0u8; 12_000];
        let mut send = |display: &mut Display, byte: u8| {
            display.store(DATA, u32::from(byte), true, |at, value| {
                memory[at as usize] = value;
            });
        };
        display.store(0, LOWEST_BIT_FIRST, true, |_, _| {});
        send(&mut display, 1);
        for line in [3u8, 240] {
            send(&mut display, line);
            (0..50).for_each(|_| send(&mut display, line));
            send(&mut display, 0);
        }
        send(&mut display, 0);
        assert!(memory[100..150].iter().all(|byte| *byte == 3));
        assert!(memory[239 * 50..].iter().all(|byte| *byte == 240));
        assert_eq!(memory.iter().filter(|byte| **byte != 0).count(), 100);
    }
}
