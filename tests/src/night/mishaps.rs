//! What each mishap does to the room.

use base_station::session::Command;
use fastrand::Rng;
use protocol::time::Span;

use super::agenda::Mishap;
use super::disk::Mood;
use super::people::Table;
use super::world::{World, handhelds};

/// A replaced pad that was not broken after all is switched on again within this time.
const WAKES_WITHIN_S: u64 = 1_800;

impl World {
    pub(super) fn happen(&mut self, mishap: Mishap) {
        if !mishap.kind().is_empty() {
            self.night.count(mishap.kind());
        }
        let soon = |rng: &mut Rng, most_s: u64| Span::from_secs(rng.u64(10..most_s));
        let now = self.now;
        match mishap {
            Mishap::OutOfReach(at) => {
                self.tell_of(at, "was carried to a corner without reception.");
                let station = self.tables[at].handheld.station;
                self.air.set_dead_spot(station, true);
                let until = now + soon(&mut self.rng, 1_800);
                self.agenda.add(until, Mishap::InReach(station));
            }
            Mishap::InReach(station) => self.air.set_dead_spot(station, false),
            Mishap::PadRestarts(at) => {
                self.tell_of(at, "restarted by itself.");
                self.tables[at].handheld.stop(&mut self.air, now);
                self.agenda
                    .add(now + Span::from_secs(3), Mishap::PadIsStartedAgain(at));
            }
            Mishap::BatteryFallsOut(at, operations) => {
                if let Some(pad) = &mut self.tables[at].handheld.pad {
                    let step = pad.flash().steps() + u64::from(operations);
                    pad.flash().cut_power_at(step);
                }
            }
            Mishap::PadIsStartedAgain(at) => self.start_pad_again(at),
            Mishap::PadIsDestroyed(at) => self.destroy_pad(at),
            Mishap::GhostWakes => self.wake_ghost(),
            Mishap::Rival(at) => self.rival(at),
            Mishap::BaseDies(which) => self.laptop.crash_at = Some(Mishap::crash_point(which)),
            Mishap::BaseIsStartedAgain => {
                self.start_laptop();
                self.tell("The base station is started again.");
                self.play_the_tape();
            }
            Mishap::DiskFull => {
                self.laptop.set_disk(Mood::Full);
                let until = now + soon(&mut self.rng, 600);
                self.agenda.add(until, Mishap::DiskHasRoom);
                self.tell("The laptop's disk is full.");
            }
            Mishap::DiskHasRoom => {
                self.laptop.set_disk(Mood::Well);
                self.tell("The laptop's disk has room again.");
            }
            Mishap::DiskRefuses => self.laptop.set_disk(Mood::RefusesOnce),
            Mishap::ClockJumps(by_ms) => {
                self.laptop.clock_error_ms += by_ms;
                let minutes = by_ms / 60_000;
                self.tell(&format!("The laptop's clock jumped by {minutes} minutes."));
            }
            Mishap::ModemForgets(at) => self.modem_forgets(at),
            Mishap::ModemIsSet(station) => self.set_modem(station),
            Mishap::ChannelMoves => self.room_changes_channel(),
            Mishap::ReceiverUnplugged => {
                self.receiver_plugged = false;
                let until = now + soon(&mut self.rng, 300);
                self.agenda.add(until, Mishap::ReceiverBack);
                self.tell("Somebody unplugged the receiver.");
            }
            Mishap::ReceiverBack => {
                self.receiver_plugged = true;
                self.tell("The receiver is plugged in again.");
            }
            Mishap::ReceiverBreaks => {
                self.receiver_plugged = false;
                let until = now + soon(&mut self.rng, 600);
                self.agenda.add(until, Mishap::OtherReceiver);
                self.tell("The receiver fell off the piano and is broken.");
            }
            Mishap::OtherReceiver => self.plug_in_other_receiver(),
            Mishap::Attack => self.attack(),
            Mishap::DirectorCorrects => self.director_corrects(),
            Mishap::SecondThoughts(at) => self.tables[at].second_thoughts = true,
            Mishap::GateStops => {
                self.laptop.command(Command::SetGate { open: false }, now);
                self.agenda
                    .add(now + Span::from_secs(240), Mishap::GateStarts);
            }
            Mishap::GateStarts => self.gate_starts(),
            Mishap::CutShort => self.director_drops_a_round(),
            Mishap::PairGoesHome => self.director_lets_a_pair_go(),
            Mishap::DirectorUndoes => self.director_takes_something_back(),
            Mishap::StrayBoard(at) => {
                self.tables[at].stray = true;
                let until = now + soon(&mut self.rng, 900);
                self.agenda.add(until, Mishap::DirectorDecides);
            }
            Mishap::DirectorDecides => self.director_decides_about_boards(),
            Mishap::DirectorDraws => self.director_draws(),
            Mishap::LookRound => {
                self.laptop.look_round(self.receiver_plugged, now);
                self.director_answers_pads();
                self.laptop.publish(&mut self.page, now);
                self.agenda
                    .add(now + Span::from_secs(30), Mishap::LookRound);
            }
        }
    }

    fn gate_starts(&mut self) {
        let now = self.now;
        if !self.laptop.command(Command::SetGate { open: true }, now) {
            self.agenda
                .add(now + Span::from_secs(30), Mishap::GateStarts);
        }
    }

    pub(super) fn start_pad_again(&mut self, at: usize) {
        let now = self.now;
        let table = &mut self.tables[at];
        if table.handheld.pad.is_none() {
            table.handheld.start(now);
            if let Some(pad) = &table.handheld.pad {
                self.witness.look_after_restart(pad);
                self.witness.look_at(pad, now);
            }
            table.pick_up_again(now);
        }
    }

    /// A pad falls into a glass of beer, or only seems dead; a spare takes its place.
    fn destroy_pad(&mut self, at: usize) {
        let spare = self.spare();
        let now = self.now;
        let mut old = self.tables[at].replace_pad(spare, now);
        old.stop(&mut self.air, now);
        self.tell_of(
            at,
            "fell into a glass of beer; the director brings a spare.",
        );
        if self.options.ghosts as usize > self.ghosts.len() {
            self.witness.replaced.insert(old.id);
            self.ghosts.push(old);
            // Somebody dries it and puts the battery back while the spare has hardly begun: what it
            // then says has numbers that the spare's own entries have not reached yet.
            let wakes = now + Span::from_secs(self.rng.u64(60..WAKES_WITHIN_S));
            self.agenda.add(wakes, Mishap::GhostWakes);
        } else {
            self.witness.destroyed.insert(old.id);
        }
    }

    fn wake_ghost(&mut self) {
        let now = self.now;
        if let Some(ghost) = self.ghosts.iter_mut().find(|ghost| ghost.pad.is_none()) {
            ghost.start(now);
            if let Some(pad) = &ghost.pad {
                self.witness.look_at(pad, now);
            }
            self.tell("A pad that had been replaced woke up again.");
        }
    }

    /// Somebody else tries to log a second pad on at a table.
    fn rival(&mut self, at: usize) {
        let spare = self.spare();
        let number = self.tables[at].number;
        let mut rival = Table::new(number, spare, &mut self.rng);
        rival.acts_at = self.now;
        rival.is_rival = true;
        self.rivals.push(rival);
        self.tell(&format!(
            "Somebody tries to log a second pad on at table {number}."
        ));
    }

    /// Somebody without the club's key sends what was on the air before: as it was, spoiled, or
    /// with the header of one frame before the content of another.
    fn attack(&mut self) {
        let Some(frame) = self.forge() else {
            return;
        };
        self.laptop.handle_receive(&frame, self.now);
        for handheld in handhelds(&mut self.tables, &mut self.rivals, &mut self.ghosts) {
            if let Some(pad) = &mut handheld.pad {
                pad.handle_receive(&frame, self.now);
            }
        }
    }

    /// Somebody hopes that a base that has just been started has forgotten what it heard before.
    fn play_the_tape(&mut self) {
        if self.options.attacks > 0 {
            for frame in &self.tape {
                self.laptop.handle_receive(frame, self.now);
            }
        }
    }

    fn forge(&mut self) -> Option<Vec<u8>> {
        let tape = self.tape.make_contiguous();
        let mut frame = self.rng.choice(&*tape)?.clone();
        match self.rng.u8(..4) {
            0 => {
                let byte = self.rng.usize(..frame.len());
                frame[byte] ^= 1 << self.rng.u8(..8);
            }
            1 => {
                let other = self.rng.choice(&*tape)?;
                let cut = self.rng.usize(..frame.len().min(other.len()));
                frame.truncate(cut);
                frame.extend_from_slice(&other[cut..]);
            }
            _ => {}
        }
        Some(frame)
    }

    fn plug_in_other_receiver(&mut self) {
        self.air.set_power(self.antenna, false, self.now);
        let channel = self.air.channel_of(self.antenna);
        self.antenna = self.air.add_base();
        self.air.tune(self.antenna, channel, self.now);
        self.laptop.take_other_receiver();
        self.receiver_plugged = true;
        self.tell("Another receiver is plugged in.");
    }

    /// Notes what happened, for people.
    pub(super) fn tell(&mut self, what: &str) {
        self.night.tell(self.now, self.laptop.last(), what);
    }

    pub(super) fn tell_of(&mut self, table: usize, what: &str) {
        let number = self.tables[table].number;
        self.tell(&format!("The pad of table {number} {what}"));
    }
}
