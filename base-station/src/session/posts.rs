//! News for pads: what waits for each of them after something has happened.

#![deny(
    clippy::wildcard_enum_match_arm,
    clippy::match_wildcard_for_single_variants
)]

use std::collections::BTreeSet;
use std::sync::Arc;

use protocol::message::{Down, Notice, RefusalReason};
use protocol::words::{PadId, RoundNumber, SectionLetter};

use super::concerns::{club_events, evening_events, pad_events, regular_contest_events};
use super::{
    Cell, ConnectorEvent, ContestEvent, Event, Line, Moment, Record, Seq, Session, Standing, State,
    TableId, Who,
};

impl State {
    /// Every pad that has had a table in this session.
    pub fn pads_of_the_evening(&self) -> impl Iterator<Item = PadId> + '_ {
        let session = self.session.iter();
        session.flat_map(|session| session.pads.keys().copied())
    }

    /// What pads must hear about records that have just been taken in. `before` is the state
    /// without them, for events that are told from it.
    pub fn posts(
        &self,
        before: Option<&Self>,
        records: &[Arc<Record>],
        now: Moment,
    ) -> Vec<(PadId, Down)> {
        let Some(session) = &self.session else {
            return Vec::new();
        };
        let mut posts = Vec::new();
        for record in records {
            if record.session == Some(session.id) {
                self.post_about(session, before, record, now, &mut posts);
                self.post_after_result(session, &record.event, &mut posts);
            } else if matches!(record.event, Event::DirectorPinSet(_)) {
                posts.extend(self.settings_for_all(session));
            }
        }
        posts
    }

    /// How every pad that has a table is to behave.
    fn settings_for_all(&self, session: &Session) -> impl Iterator<Item = (PadId, Down)> {
        let settings = |pad| (pad, Down::Settings(self.settings_for(pad)));
        session.holders().map(move |(_, pad)| settings(pad))
    }

    /// Everything that a pad may have missed while the base station was down.
    pub fn refresh(&self, pad: PadId, now: Moment) -> Vec<Down> {
        let Some((session, known)) = self
            .session
            .as_ref()
            .and_then(|session| session.pads.get(&pad).map(|known| (session, known)))
        else {
            return Vec::new();
        };
        match known.standing {
            Standing::Replaced => return vec![Down::Replaced],
            Standing::LoggedOff | Standing::Freed => return Vec::new(),
            Standing::Holds => {}
        }
        let mut downs = vec![Down::Settings(self.settings_for(pad))];
        let changed = |event: &Event| {
            matches!(
                event,
                Event::MovementChanged { .. }
                    | Event::MovementRevised { .. }
                    | Event::Undone { .. }
            )
        };
        let entered = |event: &Event| matches!(event, Event::Entered { pad: by, epoch, .. } if *by == pad && *epoch == known.epoch);
        let its_own = |line: &Line| {
            line.entry
                .is_some_and(|key| (key.pad, key.epoch) == (pad, known.epoch))
        };
        // It may have been welcomed and no more: what else it was to be told went down with the
        // base. A result that it has sent since shows nothing, for that may be why it called.
        let others = session.history_but(known.table, its_own);
        if !others.is_empty() || !session.records.iter().any(|record| entered(&record.event)) {
            downs.extend(session.schedule(known.table, RoundNumber::FIRST));
            downs.push(self.names(session, known.table));
            downs.extend(others);
        } else if session.records.iter().any(|record| changed(&record.event)) {
            downs.extend(session.schedule(known.table, session.table_round(known.table)));
        }
        let touched = session.touched_by_director(known.table);
        downs.extend(touched.into_iter().map(|it| session.recorded_or_empty(it)));
        downs.extend(session.decided_about_boards(known.table));
        downs.push(Down::Gate {
            open: session.gate_open,
        });
        downs.extend(session.clock_for_pads(now, &self.club));
        let round = session.table_round(known.table);
        let slip = session.slip(known.table, round);
        downs.extend(slip.filter(|it| !it.accepted).map(Down::Slip));
        if session.phase >= super::Phase::Ended {
            downs.push(Down::SessionOver);
        }
        if let Some((_, opened)) = self.club.backup
            && session.records.iter().any(|record| record.seq < opened)
        {
            downs.push(Down::PleaseResend);
        }
        downs
    }

    fn post_about(
        &self,
        session: &Session,
        before: Option<&Self>,
        record: &Record,
        now: Moment,
        posts: &mut Vec<(PadId, Down)>,
    ) {
        let mut tell_all = |down: &Down| {
            for (_, pad) in session.holders() {
                posts.push((pad, down.clone()));
            }
        };
        match &record.event {
            Event::SettingsChanged(_) | Event::ScoringChosen(_) => {
                posts.extend(self.settings_for_all(session));
            }
            Event::GateSet { open } => tell_all(&Down::Gate { open: *open }),
            Event::PlayEnded => tell_all(&Down::SessionOver),
            Event::ClockStarted { .. } | Event::ClockHeld { .. } | Event::ClockGoesOn { .. } => {
                if let Some(clock) = session.clock_for_pads(now, &self.club) {
                    tell_all(&clock);
                }
            }
            Event::NoticeSent { tables, text } => session.post_notice(tables, text, posts),
            event @ (Event::Ruled { .. }
            | Event::LineMoved { .. }
            | Event::KeptEntryUsed { .. }) => session.post_lines(session.cells_of(event), posts),
            // A pad that was used to allow it knows already.
            Event::BoardAllowed { .. } if matches!(record.who, Who::Pad(_)) => {}
            Event::BoardAllowed { cell } => {
                let (round, board) = (cell.round, cell.board);
                let holder = session.holder(cell.table_id());
                posts.extend(holder.map(|pad| (pad, Down::BoardAllowed { round, board })));
            }
            Event::BoardRefused(cell) => session.post_refused(*cell, posts),
            Event::CallSettled { table } if !matches!(record.who, Who::Pad(_)) => {
                posts.extend(session.holder(*table).map(|pad| (pad, Down::CallSettled)));
            }
            Event::MovementChanged { section, from, .. } => {
                session.post_schedules(*section, *from, posts);
            }
            Event::MovementRevised {
                section,
                from,
                renumbered,
                not_played,
                ..
            } => {
                self.post_revised(session, *section, *from, !renumbered.is_empty(), posts);
                session.post_lines(not_played.iter().copied(), posts);
            }
            Event::Contest(event) => self.post_contest(session, event, posts),
            Event::PadAdmitted { pad, table, .. } => {
                let before = before.and_then(|it| it.session.as_ref());
                let old = before.and_then(|it| it.holder(*table));
                let old = old.filter(|old| old != pad);
                posts.extend(old.map(|old| (old, Down::Replaced)));
            }
            Event::PadMoved { to, .. } => self.post_welcome(session, *to, now, posts),
            Event::PadsSwapped { one, other, .. } => {
                self.post_welcome(session, *one, now, posts);
                self.post_welcome(session, *other, now, posts);
            }
            Event::PlayerNamed { .. } => {
                for (table, pad) in session.holders() {
                    posts.push((pad, self.names(session, table)));
                }
            }
            Event::Undone { change, .. } => {
                if let Some(before) = before {
                    session.post_differences(self, before, *change, posts);
                }
            }
            // What pads need not hear of: it came from one of them, was answered on the spot, or
            // shows on the director's page only.
            club_events!()
            | Event::SectionPlanned { .. }
            | Event::SectionRemoved { .. }
            | Event::RoundTaken(_)
            | Event::TimingChosen(_)
            | Event::WayChosen(_)
            | Event::SectionGateSet { .. }
            | Event::DealsAttached { .. }
            | Event::DealAnalysed { .. }
            | Event::Opened
            | Event::Released
            | Event::Reopened { .. }
            | Event::RoundEnded { .. }
            | Event::PadLoggedOff { .. }
            | Event::TableFreed { .. }
            | Event::PadSilent { .. }
            | Event::PadHeardAgain { .. }
            | Event::BatteryLow { .. }
            | Event::DirectorCalled { .. }
            | Event::CallSettled { .. }
            | Event::PlayersSeated { .. }
            | Event::PairsSeen { .. }
            | Event::BoardWanted { .. }
            | Event::Replacing(_)
            | Event::Entered { .. }
            | Event::EntryKept { .. }
            | Event::KeptEntryIgnored { .. }
            | Event::PairsCorrected { .. }
            | Event::FouledSet { .. }
            | Event::Penalised { .. }
            | Event::Connector(ConnectorEvent::Accepted { .. })
            | Event::WarningAnswered { .. } => {}
        }
    }

    /// What a match's own events tell the pads; a draw tells them as the movement that it lays.
    fn post_contest(
        &self,
        session: &Session,
        event: &ContestEvent,
        posts: &mut Vec<(PadId, Down)>,
    ) {
        match event {
            ContestEvent::BoardReplaced { section, round, .. }
            | ContestEvent::PlayedOtherwise { section, round, .. } => {
                self.post_otherwise(session, (*section, *round), event, posts);
            }
            regular_contest_events!()
            | ContestEvent::Appealed { .. }
            | ContestEvent::AppealSettled { .. } => {}
        }
    }

    /// Another movement: from the round that is being played, which shows a pair's new number, too.
    fn post_revised(
        &self,
        session: &Session,
        section: SectionLetter,
        from: RoundNumber,
        renumbered: bool,
        posts: &mut Vec<(PadId, Down)>,
    ) {
        for (table, pad) in session.holders() {
            if table.section == section {
                let from = session.table_round(table).min(from);
                let schedule = session.schedule(table, from);
                posts.extend(schedule.into_iter().map(|down| (pad, down)));
                if renumbered {
                    posts.push((pad, self.names(session, table)));
                }
                // A draw may come while tables wait for it.
                let round = session.table_round(table);
                self.post_next_names(session, table, round, posts);
            }
        }
    }

    /// Others meet at the tables of a match than were drawn, or they play another board.
    fn post_otherwise(
        &self,
        session: &Session,
        (section, round): (SectionLetter, RoundNumber),
        event: &ContestEvent,
        posts: &mut Vec<(PadId, Down)>,
    ) {
        self.post_revised(session, section, round, false, posts);
        session.post_replaced(event, false, posts);
    }

    /// A result may have been the last of a match, or of a round at its table.
    fn post_after_result(&self, session: &Session, event: &Event, posts: &mut Vec<(PadId, Down)>) {
        if let Event::PairsCorrected { cell, .. } = event {
            session.post_slips(*cell, posts);
        }
        for cell in session.cells_of(event) {
            session.post_slips(cell, posts);
        }
        if let Event::Entered { table, entry, .. } = event {
            self.post_next_names(session, *table, entry.round, posts);
            let cell = Cell::new(*table, entry.round, entry.board);
            session.post_loose_boards(cell, posts);
            if let Some(pad) = session.holder(*table).filter(|_| session.ends_a_half(cell)) {
                let schedule = session.schedule(*table, entry.round);
                posts.extend(schedule.into_iter().map(|down| (pad, down)));
            }
        }
    }

    /// A table that has finished a round hears who comes next: "is this you?" is about them.
    fn post_next_names(
        &self,
        session: &Session,
        table: TableId,
        round: RoundNumber,
        posts: &mut Vec<(PadId, Down)>,
    ) {
        let Some((next, pad)) = round.next().zip(session.holder(table)) else {
            return;
        };
        let finished = || {
            let mut expected = session.expected(table, round).into_iter();
            expected.all(|cell| session.is_in(cell))
        };
        if session.sitting(table, next).is_none() || !finished() {
            return;
        }
        let names = self.names_in(session, table, next);
        if matches!(&names, Down::Names(names) if names.seats.iter().any(|it| !it.is_empty())) {
            posts.push((pad, names));
        }
    }

    fn post_welcome(
        &self,
        session: &Session,
        table: TableId,
        now: Moment,
        posts: &mut Vec<(PadId, Down)>,
    ) {
        if let Some(pad) = session.holder(table) {
            let welcome = self.welcome(session, pad, table, now);
            posts.extend(welcome.into_iter().map(|down| (pad, down)));
        }
    }
}

impl Session {
    /// The pad that holds a table.
    pub fn holder(&self, table: TableId) -> Option<PadId> {
        self.tables.get(&table)?.holder.map(|(pad, _)| pad)
    }

    /// Every table that has a pad.
    pub fn holders(&self) -> impl Iterator<Item = (TableId, PadId)> + '_ {
        self.tables
            .iter()
            .filter_map(|(table, story)| story.holder.map(|(pad, _)| (*table, pad)))
    }

    pub(super) fn post_refused(&self, cell: Cell, posts: &mut Vec<(PadId, Down)>) {
        let holder = self.holder(cell.table_id());
        let no = cell.refused(RefusalReason::NotAllowed);
        posts.extend(holder.map(|pad| (pad, no)));
    }

    fn post_schedules(
        &self,
        section: SectionLetter,
        from: RoundNumber,
        posts: &mut Vec<(PadId, Down)>,
    ) {
        for (table, pad) in self.holders().filter(|(it, _)| it.section == section) {
            let schedule = self.schedule(table, from);
            posts.extend(schedule.into_iter().map(|down| (pad, down)));
        }
    }

    fn post_notice(&self, tables: &[TableId], text: &str, posts: &mut Vec<(PadId, Down)>) {
        let mut notice = Notice::new();
        let _ = notice.push_str(text);
        for (table, pad) in self.holders() {
            if tables.is_empty() || tables.contains(&table) {
                posts.push((pad, Down::Notice(notice.clone())));
            }
        }
    }

    /// What the director has said about boards that this table wanted in the round it is in: a pad
    /// may have waited for it while the base station was down.
    fn decided_about_boards(&self, table: TableId) -> Vec<Down> {
        let round = self.table_round(table);
        let here = |cell: &&Cell| cell.table_id() == table && cell.round == round;
        let yes = self.allowed.iter().filter(here).map(|cell| {
            let board = cell.board;
            Down::BoardAllowed { round, board }
        });
        let no = self.refused.iter().filter(here);
        yes.chain(no.map(|cell| cell.refused(RefusalReason::NotAllowed)))
            .collect()
    }

    fn post_lines(&self, cells: impl IntoIterator<Item = Cell>, posts: &mut Vec<(PadId, Down)>) {
        for cell in cells {
            self.post_line(cell, posts);
        }
    }

    fn post_line(&self, cell: Cell, posts: &mut Vec<(PadId, Down)>) {
        if let Some(pad) = self.holder(cell.table_id()) {
            posts.push((pad, self.recorded_or_empty(cell)));
        }
    }

    /// Cells of a table that a director has ever had a hand in. What was taken back is among them:
    /// the pad may know the change and not yet that it no longer holds.
    fn touched_by_director(&self, table: TableId) -> BTreeSet<Cell> {
        let cells = self.records.iter().flat_map(|record| {
            if let Event::Undone { change, .. } = &record.event {
                let taken_back = self.record(*change);
                taken_back.map_or_else(Vec::new, |record| self.cells_of(&record.event))
            } else if matches!(record.event, Event::Entered { .. }) {
                Vec::new()
            } else {
                self.cells_of(&record.event)
            }
        });
        cells.filter(|cell| cell.table_id() == table).collect()
    }

    /// The cells whose lines an event changes.
    fn cells_of(&self, event: &Event) -> Vec<Cell> {
        match event {
            Event::Entered { table, entry, .. } => {
                vec![Cell::new(*table, entry.round, entry.board)]
            }
            Event::Ruled { cell, .. } => vec![*cell],
            Event::LineMoved { from, to, .. } => vec![*from, *to],
            Event::KeptEntryUsed { kept } => {
                let kept = self.kept.get(kept);
                let cell = kept.map(|it| Cell::new(it.table, it.entry.round, it.entry.board));
                cell.into_iter().collect()
            }
            evening_events!() => {
                if let Event::MovementRevised { not_played, .. } = event {
                    not_played.clone()
                } else {
                    Vec::new()
                }
            }
            club_events!()
            | pad_events!()
            | Event::EntryKept { .. }
            | Event::KeptEntryIgnored { .. }
            | Event::PairsCorrected { .. }
            | Event::FouledSet { .. }
            | Event::Penalised { .. }
            | Event::Undone { .. }
            | Event::WarningAnswered { .. } => Vec::new(),
        }
    }

    /// What an undoing changed for pads.
    fn post_differences(
        &self,
        now: &State,
        before: &State,
        undone: Seq,
        posts: &mut Vec<(PadId, Down)>,
    ) {
        if let Some(Event::Contest(event)) = self.record(undone).map(|it| &it.event) {
            self.post_replaced(event, true, posts);
        }
        let Some(before) = before.session.as_ref().filter(|it| it.id == self.id) else {
            return;
        };
        for (table, pad) in self.holders() {
            if before.settings != self.settings
                || before.ranks_by_percent() != self.ranks_by_percent()
            {
                posts.push((pad, Down::Settings(now.settings_for(pad))));
            }
            if before.sections.get(&table.section) != self.sections.get(&table.section) {
                let schedule = self.schedule(table, self.table_round(table));
                posts.extend(schedule.into_iter().map(|down| (pad, down)));
            }
        }
        let ruling =
            |session: &Self, cell: &Cell| session.lines.get(cell).map(|it| it.ruling.clone());
        let cells: BTreeSet<Cell> = self
            .lines
            .keys()
            .chain(before.lines.keys())
            .copied()
            .collect();
        for cell in cells {
            if ruling(self, &cell) != ruling(before, &cell) {
                self.post_line(cell, posts);
            }
        }
    }
}
