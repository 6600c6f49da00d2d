//! What pads are told: answers to what they said, and news that waits for their next call.

use protocol::message::{
    Down, Feedback, FeedbackLevel, PairNames, Players, Question, RANKING_LINES_MAX, RankingLine,
    RefusalReason, Welcome,
};
use protocol::words::{BoardNumber, PadId, PlayerNumber, RoundNumber, Seat, Side};

use super::fold::partner_at;
use super::sheets::{cut, percentage};
use super::{Cell, Moment, PairId, Reply, Session, State, TableId};

impl State {
    /// Puts the replies of a decision into words for the pad. To be asked of the state that has
    /// the decision's records in it.
    pub fn answer(&self, pad: PadId, replies: &[Reply], now: Moment) -> Vec<Down> {
        let Some(session) = &self.session else {
            return replies
                .iter()
                .filter_map(|reply| match reply {
                    Reply::Say(down) => Some((**down).clone()),
                    Reply::Received(number, _) => Some(Down::Received {
                        number: *number,
                        percentage: None,
                    }),
                    _ => None,
                })
                .collect();
        };
        let mut downs = Vec::new();
        for reply in replies {
            match reply {
                Reply::Say(down) => downs.push((**down).clone()),
                Reply::Received(number, cell) => downs.push(Down::Received {
                    number: *number,
                    percentage: cell
                        .filter(|_| session.settings.feedback >= FeedbackLevel::Percentage)
                        .filter(|cell| session.may_compare(*cell))
                        .and_then(|cell| session.percentage(cell)),
                }),
                Reply::Welcome(table) => downs.extend(self.welcome(session, pad, *table, now)),
                Reply::Names(table) => downs.push(self.names(session, *table)),
                Reply::History(table) => downs.extend(session.history(*table)),
                Reply::Recorded(cell) => downs.extend(session.recorded(*cell)),
                Reply::Feedback(table, question) => {
                    downs.extend(self.feedback(session, *table, *question));
                }
                Reply::UnknownPlayers(players) => downs.extend(self.unknown(players)),
            }
        }
        downs
    }

    /// Everything a pad needs to be this table's pad.
    pub(super) fn welcome(
        &self,
        session: &Session,
        pad: PadId,
        table: TableId,
        now: Moment,
    ) -> Vec<Down> {
        let Some((section, known)) = session
            .sections
            .get(&table.section)
            .zip(session.pads.get(&pad))
        else {
            return Vec::new();
        };
        let history = session.history(table);
        let welcome = Welcome {
            session: session.id,
            epoch: known.epoch,
            section: table.section,
            table: table.table,
            event: cut(self.club.event_name(session.id).unwrap_or_default()),
            round: session.table_round(table),
            rounds_total: section.last_round(),
            next_entry: session.next_entry(pad),
            recorded: u8::try_from(session.lines_in(table)).unwrap_or(u8::MAX),
            settings: self.settings_for(pad),
        };
        let mut downs = vec![Down::Welcome(welcome)];
        downs.extend(session.schedule(table, RoundNumber::FIRST));
        downs.push(self.names(session, table));
        downs.extend(history);
        if !session.gate_open {
            downs.push(Down::Gate { open: false });
        }
        downs.extend(session.clock_for_pads(now, &self.club));
        downs
    }

    pub(super) fn names(&self, session: &Session, table: TableId) -> Down {
        self.names_in(session, table, session.table_round(table))
    }

    /// The names of those who sit at a table in a round.
    pub(super) fn names_in(&self, session: &Session, table: TableId, round: RoundNumber) -> Down {
        let cell = Cell::new(table, round, BoardNumber::MIN);
        let (ns, ew) = session.pairs_by_movement(cell);
        let seats = Seat::ALL.map(|seat| {
            let pair = match seat.side() {
                Side::NorthSouth => ns,
                Side::EastWest => ew,
            };
            let name = pair.map(|pair| {
                session
                    .roster
                    .name(&self.club, pair, partner_at(seat), round)
            });
            cut(&name.unwrap_or_default())
        });
        Down::Names(PairNames { round, seats })
    }

    /// Which of these numbers are not in the club's list, where there are such.
    fn unknown(&self, players: &Players) -> Option<Down> {
        let stranger =
            |number: Option<PlayerNumber>| number.is_some_and(|number| !self.club.may_know(number));
        let seats = players.seats.map(stranger);
        let round = players.round;
        seats
            .contains(&true)
            .then_some(Down::UnknownPlayers { round, seats })
    }

    fn feedback(&self, session: &Session, table: TableId, question: Question) -> Vec<Down> {
        let refused = |reason| {
            let number = None;
            vec![Down::Refused { number, reason }]
        };
        let not_allowed = || refused(RefusalReason::NotAllowed);
        if let Question::HandRecord(board) = question
            && session.settings.hand_record
            && session.finished(table, board).is_some()
            && !session.deals.contains_key(&board)
        {
            return refused(RefusalReason::NoDealFile);
        }
        let answer = match question {
            Question::History => return session.history(table),
            Question::Traveller(board) => session
                .finished(table, board)
                .filter(|_| session.settings.feedback >= FeedbackLevel::Traveller)
                .filter(|cell| session.may_compare(*cell))
                .map(|cell| session.pad_traveller(cell)),
            Question::HandRecord(board) => session
                .finished(table, board)
                .filter(|_| session.settings.hand_record)
                .and_then(|cell| session.deals.get(&cell.board))
                .map(|deal| Feedback::HandRecord(deal.clone())),
            Question::Ranking => self
                .pad_settings()
                .ranking
                .then(|| self.pad_ranking(session, table)),
        };
        answer.map_or_else(not_allowed, |answer| vec![Down::Feedback(answer)])
    }

    /// The lists of the pairs at the table. Pads name a pair by its number, so of a field of several
    /// sections they get their own section's pairs, each with its place in the whole field.
    fn pad_ranking(&self, session: &Session, table: TableId) -> Feedback {
        let here = Cell::new(table, session.table_round(table), BoardNumber::MIN);
        let (ns, ew) = session.pairs_by_movement(here);
        let own = |pair: PairId| Some(pair) == ns || Some(pair) == ew;
        let standings = session.standings();
        let places = standings.lists.iter().flat_map(|list| &list.places);
        // Who stands below the line has no place to be shown.
        let mut chosen: Vec<_> = places
            .filter(|place| place.pair.section == table.section)
            .filter_map(|place| Some((place.rank?, place.percent?, place.pair)))
            .collect();
        // The pairs at the table first, then the leaders, as many as fit.
        chosen.sort_by_key(|(rank, _, pair)| (!own(*pair), *rank));
        chosen.truncate(RANKING_LINES_MAX);
        chosen.sort_by_key(|(rank, _, pair)| (pair.side, *rank));
        let lines = chosen
            .into_iter()
            .map(|(rank, percent, pair)| RankingLine {
                rank: u16::try_from(rank).unwrap_or(u16::MAX),
                pair: pair.number,
                side: pair.side,
                percentage: percentage(percent.0),
                name: cut(&self.pair_name(session, pair)),
            })
            .collect();
        Feedback::Ranking { lines }
    }

    /// Both partners' names, as in "Smith - Jones".
    pub fn pair_name(&self, session: &Session, pair: PairId) -> String {
        use super::plan::Partner;
        let name = |partner| {
            session
                .roster
                .name(&self.club, pair, partner, RoundNumber::FIRST)
        };
        let (first, second) = (name(Partner::First), name(Partner::Second));
        match (first.is_empty(), second.is_empty()) {
            (true, true) => String::new(),
            (false, true) => first,
            (true, false) => second,
            (false, false) => format!("{first} - {second}"),
        }
    }
}
