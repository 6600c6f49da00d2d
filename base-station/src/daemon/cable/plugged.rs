//! What a pad says at its service port, line by line.

use std::collections::BTreeSet;

use pad::Key;
use pad::slots::Slot;
use protocol::message::FirmwareVersion;
use protocol::words::PadId;

use super::program::{Answered, RunningProgram};

/// Lines of a screen that are kept; a pad's screen has a dozen.
const SCREEN_LINES_MAX: usize = 16;

/// A pad at the cable, as far as it has spoken.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plugged {
    /// Its name for life.
    pub pad: Option<PadId>,
    /// What it runs.
    pub firmware: Option<FirmwareVersion>,
    /// The wire version that it speaks.
    pub wire: Option<u8>,
    /// To which club it belongs.
    pub belongs: Belongs,
    /// How it is, where it can say so.
    pub condition: Option<Condition>,
    /// How its modem is; none of a pad whose program sets no modem.
    pub modem: Option<PadModem>,
    /// The keys that were pressed since the test of them began.
    pub keys: BTreeSet<&'static str>,
    /// What its display shows.
    pub screen: Vec<String>,
    /// What it refused last.
    pub refused: Option<String>,
    /// The program that it runs; none where it has no two places for programs.
    pub program: Option<RunningProgram>,
    /// What it answered to the last line of an update.
    pub update: Option<Answered>,
    /// How often it has introduced itself.
    pub introductions: u32,
    /// The screen that is being told.
    telling: Option<Vec<String>>,
}

/// To which club a pad belongs, by the check value of its key.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Belongs {
    /// It has not said so yet.
    #[default]
    Untold,
    /// To none.
    Nobody,
    /// To the club whose key has this check value.
    Club {
        /// The key's check value.
        check: [u8; 2],
        /// The network's number.
        network: u8,
        /// The modem's channel.
        channel: u8,
    },
}

/// What a pad was told of its modem, and how that went.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PadModem {
    /// Its baud rate.
    pub baud: u32,
    /// How strongly it may send, 1 to 8; 0 where the pad leaves it as it is.
    pub power: u8,
    /// How it is set.
    pub tuned: PadTuned,
}

/// How a pad's modem is set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize, utoipa::ToSchema)]
pub enum PadTuned {
    /// The pad leaves it as it is.
    Left,
    /// As the pad was told, and it says so.
    Set,
    /// It does not answer: SET is not connected.
    Silent,
    /// It says something else.
    Differs,
}

/// How a pad is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Condition {
    /// The number on its sticker; 0 for none.
    pub number: u8,
    /// The code of its language.
    pub language: String,
    /// Both cells together, in millivolts; 0 where no gauge answers.
    pub battery_mv: u16,
    /// Results agreed and not yet received.
    pub unsent: u8,
    /// The base has answered since its radio was tested.
    pub answered: bool,
}

impl Plugged {
    /// Takes a line. What nobody understands is passed over: a later firmware may say more.
    pub fn hear(&mut self, line: &str) {
        let line = line.trim_end();
        if line.starts_with("Byestand pad ") {
            // It has started again in the middle of a screen.
            self.telling = None;
        }
        if let Some(telling) = &mut self.telling {
            if line == "end" {
                self.screen = self.telling.take().unwrap_or_default();
            } else if telling.len() < SCREEN_LINES_MAX {
                telling.push(line.to_owned());
            }
            return;
        }
        let words: Vec<&str> = line.split_ascii_whitespace().collect();
        match words.as_slice() {
            [
                "Byestand",
                "pad",
                pad,
                "firmware",
                firmware,
                "wire",
                wire,
                ..,
            ] => {
                let pad = pad.parse().ok().and_then(PadId::new);
                if self.pad != pad {
                    // Another pad at the same cable.
                    *self = Self::default();
                }
                self.introductions += 1;
                self.pad = pad;
                self.firmware = version(firmware);
                self.wire = wire.parse().ok();
            }
            ["club", "none"] => self.belongs = Belongs::Nobody,
            ["club", check, "network", network, "channel", channel] => {
                if let (Some(check), Ok(network), Ok(channel)) =
                    (check_value(check), network.parse(), channel.parse())
                {
                    self.belongs = Belongs::Club {
                        check,
                        network,
                        channel,
                    };
                }
            }
            ["number", rest @ ..] => self.condition = condition(rest).or(self.condition.take()),
            ["modem", baud, power, tuned, ..] => {
                let tuned = match *tuned {
                    "left" => Some(PadTuned::Left),
                    "set" => Some(PadTuned::Set),
                    "silent" => Some(PadTuned::Silent),
                    "differs" => Some(PadTuned::Differs),
                    _ => None,
                };
                if let (Ok(baud), Ok(power), Some(tuned)) = (baud.parse(), power.parse(), tuned) {
                    self.modem = Some(PadModem { baud, power, tuned });
                }
            }
            ["key", legend] => {
                let mut all = Key::ALL.into_iter().map(Key::legend);
                self.keys.extend(all.find(|known| known == legend));
            }
            ["screen", name] => self.telling = Some(vec![(*name).to_owned()]),
            ["program", slot, how @ ..] => {
                let slot = [Slot::A, Slot::B]
                    .into_iter()
                    .find(|one| format!("{one:?}") == *slot);
                self.program = slot.map(|slot| RunningProgram {
                    slot,
                    is_proven: how == ["proven"],
                });
            }
            ["update", "ready"] => self.update = Some(Answered::Ready),
            ["update", next] => self.update = next.parse().ok().map(Answered::Wants),
            ["refused:", ..] => {
                self.refused = line.strip_prefix("refused: ").map(str::to_owned);
            }
            _ => {}
        }
    }

    /// The keys that were not pressed yet, as they are printed.
    pub fn missing_keys(&self) -> Vec<&'static str> {
        let all = Key::ALL.into_iter().map(Key::legend);
        all.filter(|legend| !self.keys.contains(legend)).collect()
    }
}

fn version(text: &str) -> Option<FirmwareVersion> {
    let mut parts = text.split('.').map(|part| part.parse().ok());
    let mut next = || parts.next().flatten();
    Some(FirmwareVersion(next()?, next()?, next()?))
}

fn check_value(text: &str) -> Option<[u8; 2]> {
    let value = u16::from_str_radix(text, 16)
        .ok()
        .filter(|_| text.len() == 4)?;
    Some(value.to_be_bytes())
}

/// `12 language en battery 2980 unsent 0 radio quiet`.
fn condition(words: &[&str]) -> Option<Condition> {
    let [
        number,
        "language",
        language,
        "battery",
        battery,
        "unsent",
        unsent,
        "radio",
        radio,
        ..,
    ] = words
    else {
        return None;
    };
    Some(Condition {
        number: number.parse().ok()?,
        language: (*language).to_owned(),
        battery_mv: battery.parse().ok()?,
        unsent: unsent.parse().ok()?,
        answered: *radio == "answered",
    })
}

#[cfg(test)]
mod tests {
    use pad::App;
    use pad::app::{Badge, Radio, Test};
    use pad::conductor::Tuned;
    use pad::service::{condition, introduce, membership, mirror, tell_modem};
    use pad::slots::Standing;
    use pad::update::{Progress, tell_program};
    use protocol::frame::ClubKey;
    use protocol::time::Instant;

    use super::*;

    const PAD: u32 = 0x00C0_FFEE;
    const FIRMWARE: FirmwareVersion = FirmwareVersion(1, 2, 3);

    /// Everything that a pad says about itself, as the pad says it.
    fn said(app: &App) -> String {
        let mut said = String::new();
        let pad = PadId::new(PAD).expect("a pad");
        introduce(pad, FIRMWARE, &mut said).expect("written");
        membership(app, &mut said).expect("written");
        condition(app, &mut said).expect("written");
        tell_modem(app.radio(), Tuned::Silent, &mut said).expect("written");
        mirror(&app.screen(Instant::ZERO), &mut said).expect("written");
        said
    }

    fn heard(app: &App) -> Plugged {
        let mut plugged = Plugged::default();
        said(app).lines().for_each(|line| plugged.hear(line));
        plugged
    }

    #[test]
    fn a_pad_is_known_by_what_it_says_of_itself() {
        let pad = PadId::new(PAD).expect("a pad");
        let mut app = App::new(pad, FIRMWARE);
        app.resume(Instant::ZERO);
        let new = heard(&app);
        assert_eq!((new.pad, new.firmware), (Some(pad), Some(FIRMWARE)));
        assert_eq!(new.belongs, Belongs::Nobody);
        assert_eq!(new.screen.first().map(String::as_str), Some("Start"));

        let key = ClubKey::new([7; 32]);
        let radio = Radio {
            network: 3,
            channel: 5,
            ..Radio::FACTORY
        };
        let _ = app.provision(key.for_pad(pad), radio);
        let _ = app.wear(Badge(12));
        let _ = app.tune(4, 5);
        let ours = heard(&app);
        let belongs = Belongs::Club {
            check: key.check().0,
            network: 3,
            channel: 5,
        };
        assert_eq!(ours.belongs, belongs);
        assert_eq!(ours.condition.expect("told").number, 12);
        let told = PadModem {
            baud: 9_600,
            power: 5,
            tuned: PadTuned::Silent,
        };
        assert_eq!(ours.modem, Some(told));
    }

    #[test]
    fn every_key_of_the_pad_is_missed_until_it_was_pressed() {
        let mut plugged = Plugged::default();
        assert_eq!(plugged.missing_keys().len(), 36);
        for key in Key::ALL {
            plugged.hear(&format!("key {}", key.legend()));
        }
        assert_eq!(plugged.missing_keys(), Vec::<&str>::new());
    }

    #[test]
    fn a_picture_of_the_test_is_a_screen_like_others() {
        let mut app = App::new(PadId::MIN, FIRMWARE);
        let _ = app.test(Test::Chequers, Instant::ZERO);
        let shown = heard(&app).screen;
        assert_eq!(shown.first().map(String::as_str), Some("Test"));
        assert!(
            shown.contains(&"  picture Chequers".to_owned()),
            "{shown:?}"
        );
    }

    #[test]
    fn a_program_on_trial_is_told_from_one_that_has_proved_itself() {
        let mut plugged = Plugged::default();
        for (trial, is_proven) in [(Some((Slot::B, true)), false), (None, true)] {
            let good = Slot::A;
            let mut said = String::new();
            tell_program(Slot::B, Standing { good, trial }, &mut said).expect("written");
            plugged.hear(&said);
            let slot = Slot::B;
            assert_eq!(plugged.program, Some(RunningProgram { slot, is_proven }));
        }
        for progress in [Progress::Wants(128), Progress::Ready] {
            plugged.hear(&progress.to_string());
        }
        assert_eq!(plugged.update, Some(Answered::Ready));
    }

    #[test]
    fn noise_on_the_cable_is_nothing() {
        let mut plugged = Plugged::default();
        for line in [
            "",
            "club",
            "club XYZ network 0 channel 0",
            "number",
            "\u{fffd}\u{fffd}",
        ] {
            plugged.hear(line);
        }
        assert_eq!(plugged, Plugged::default());
    }
}
