//! A scoring program that works with the base station as it works with a Bridgemate Data
//! Connector: what its requests change, and what it hears.
//!
//! [`judge`] decides, from the state alone, what a request leads to: commands of the session, which
//! are done all together or not at all, and an answer that is given when they are on disk. What
//! waits for the program is [`queue`]'s to say. The package `connector` knows the wire; nothing here
//! does any IO.

mod draft;
mod movement;
mod puts;
mod queue;
mod score;
mod setup;
mod update;

#[cfg(test)]
mod tests;

use connector::data::{
    AddSession, BoardScore, Continue, Handrecord, Init, Participation, Player, ScoringGroup,
    Section, Session as WrittenSession, TdCall,
};
use connector::{Answer, Command as Asked, DataType, ErrorType, Fault, Queue, Request};

use self::draft::Draft;
use self::queue::Now;
pub use self::queue::{Items, Memory};
use self::score::Said;
use crate::session::{Command, ConnectorCommand, Moment, Refused, Seq, State};
use telling::{Told, tell};

/// What a request leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Judged {
    /// To be done, all of it or nothing.
    pub command: Option<Command>,
    /// To be said when that is done.
    pub answer: Answer,
    /// What the program was told besides, for the director.
    pub notes: Vec<Told>,
}

impl From<Answer> for Judged {
    fn from(answer: Answer) -> Self {
        Self {
            command: None,
            answer,
            notes: Vec::new(),
        }
    }
}

/// What a request leads to, as things stand.
pub fn judge(state: &State, memory: &mut Memory, request: &Request, now: Moment) -> Judged {
    match judged(state, memory, request, now) {
        Ok(mut judged) => {
            judged.answer = request.answer(Ok(judged.answer));
            judged
        }
        Err(fault) => request.answer(Err(fault)).into(),
    }
}

/// The answer to a request that could not be done after all.
pub fn refused(request: &Request, Refused(why): Refused) -> Answer {
    request.answer(Err(Fault::new(ErrorType::Movement, why.to_string())))
}

fn judged(
    state: &State,
    memory: &mut Memory,
    request: &Request,
    now: Moment,
) -> Result<Judged, Fault> {
    let said = |answer: Answer| Ok(answer.into());
    match request.command {
        Asked::Connect | Asked::Disconnect => said(Answer::done("Byestand")),
        Asked::Ping => said(Answer::echo(&request.data)),
        Asked::PollNew(queue) => poll(state, memory, request, queue).map(Judged::from),
        Asked::PollAll(queue) => {
            let now = part(state, request)?;
            said(items(queue, now.last(), &now.all_items(queue)))
        }
        Asked::GetMovement => get_movement(state, request).map(Judged::from),
        Asked::GetAllMovements => {
            let now = part(state, request)?;
            let sections: Vec<Section> = (now.part.sections.iter())
                .map(|linked| movement::written(now.session, now.part, linked))
                .collect();
            said(Answer::with(DataType::Sessions, 0, &sections))
        }
        Asked::ManageBcs => Err(Fault::not_here(
            "Byestand is started, stopped and asked about its sessions on its own page",
        )),
        Asked::Other(number) => Err(Fault::new(
            ErrorType::UnexpectedCommand,
            format!("there is no command {number}"),
        )),
        Asked::InitializeEvent
        | Asked::UpdateMovement
        | Asked::AddSession
        | Asked::UpdateScoringGroups
        | Asked::Put(_)
        | Asked::PutBridgemate2Settings
        | Asked::PutBridgemate3Settings
        | Asked::Accept(_)
        | Asked::ContinueEvent
        | Asked::ClearData => {
            let mut draft = Draft::of(state, now);
            let answer = change(&mut draft, request)?;
            let (command, notes) = draft.into_parts();
            Ok(Judged {
                command,
                answer,
                notes,
            })
        }
    }
}

fn change(draft: &mut Draft, request: &Request) -> Result<Answer, Fault> {
    let guid = request.session.as_str();
    match request.command {
        Asked::InitializeEvent => setup::init(draft, &request.data::<Init>()?),
        Asked::UpdateMovement => update::update(draft, guid, &request.data()?),
        Asked::AddSession => {
            let mut add: AddSession = request.data()?;
            if add.session.is_none() {
                // Some programs send the session itself.
                let session: WrittenSession = request.data()?;
                add.session = (!session.session_guid.is_empty()).then_some(session);
            }
            setup::add_session(draft, guid, &add)
        }
        Asked::UpdateScoringGroups => {
            setup::groups(draft, guid, &request.data::<Vec<ScoringGroup>>()?)
        }
        Asked::ContinueEvent => go_on(draft, &request.data()?),
        Asked::ClearData => clear(draft),
        Asked::Accept(queue) => accept(draft, guid, queue, request.data()?),
        Asked::Put(queue) => put(draft, guid, queue, request),
        Asked::PutBridgemate2Settings => {
            draft.linked(guid)?;
            puts::bridgemate2(draft, &request.data::<Vec<_>>()?)?;
            Ok(draft.answer("the settings are taken as far as pads can do the same"))
        }
        Asked::PutBridgemate3Settings => {
            draft.linked(guid)?;
            puts::bridgemate3(draft, &request.data::<Vec<_>>()?)?;
            Ok(draft.answer("the settings are taken as far as pads can do the same"))
        }
        Asked::Connect
        | Asked::Disconnect
        | Asked::Ping
        | Asked::PollNew(_)
        | Asked::PollAll(_)
        | Asked::GetMovement
        | Asked::GetAllMovements
        | Asked::ManageBcs
        | Asked::Other(_) => Err(Fault::not_here("that changes nothing")),
    }
}

fn put(draft: &mut Draft, guid: &str, queue: Queue, request: &Request) -> Result<Answer, Fault> {
    let link = draft.linked(guid)?;
    let count = match queue {
        Queue::Results => {
            let scores: Vec<BoardScore> = request.data()?;
            puts::results(draft, &link, guid, &scores)?;
            scores.len()
        }
        Queue::PlayerData => {
            let players: Vec<Player> = request.data()?;
            puts::players(draft, &players)?;
            players.len()
        }
        Queue::Participations => {
            let seats: Vec<Participation> = request.data()?;
            puts::participations(draft, &link, guid, &seats)?;
            seats.len()
        }
        Queue::Handrecords => {
            let hands: Vec<Handrecord> = request.data()?;
            puts::hands(draft, &hands)?;
            hands.len()
        }
        Queue::TdCalls => {
            let calls: Vec<TdCall> = request.data()?;
            puts::calls(draft, &link, guid, &calls)?;
            calls.len()
        }
    };
    Ok(draft.answer(&format!("{count} taken")))
}

/// The chosen session, as far as the program may ask for it.
fn part<'a>(state: &'a State, request: &Request) -> Result<Now<'a>, Fault> {
    let unknown = |why: &str| Fault::new(ErrorType::EntryUnknown, why);
    let session = state.session.as_ref();
    let session = session.ok_or_else(|| unknown("no session is being played"))?;
    let link = state.club.links.get(&session.id);
    let link = link.ok_or_else(|| {
        unknown("the session that is being played was not set up by a scoring program")
    })?;
    let part = link.session(&request.session).ok_or_else(|| {
        unknown("this session is not the one that Byestand plays: continue its event, or set it up")
    })?;
    Ok(Now {
        club: &state.club,
        session,
        link,
        part,
    })
}

fn poll(
    state: &State,
    memory: &mut Memory,
    request: &Request,
    queue: Queue,
) -> Result<Answer, Fault> {
    let now = part(state, request)?;
    let upto = accepted(now, queue);
    let known = memory.known(state, now.session, upto);
    let new = now.new_items(queue, &known);
    let last = if new.is_empty() { upto } else { now.last() };
    Ok(items(queue, last, &new))
}

fn accepted(now: Now<'_>, queue: Queue) -> Seq {
    let key = (now.part.guid.clone(), queue);
    now.session.accepted.get(&key).copied().unwrap_or_default()
}

fn items(queue: Queue, last: Seq, items: &Items) -> Answer {
    let data_type = queue.data_type();
    match items {
        Items::Results(items) => Answer::with(data_type, last.0, items),
        Items::PlayerData(items) => Answer::with(data_type, last.0, items),
        Items::Participations(items) => Answer::with(data_type, last.0, items),
        Items::Handrecords(items) => Answer::with(data_type, last.0, items),
        Items::TdCalls(items) => Answer::with(data_type, last.0, items),
    }
}

fn get_movement(state: &State, request: &Request) -> Result<Answer, Fault> {
    let wanted: Section = request.data()?;
    let now = part(state, request)?;
    let linked = now.part.section(&wanted.letters).ok_or_else(|| {
        let why = "there is no such section in this session";
        Fault::new(ErrorType::Movement, why)
    })?;
    let section = movement::written(now.session, now.part, linked);
    Ok(Answer::with(DataType::Movement, 0, &section))
}

fn accept(draft: &mut Draft, guid: &str, queue: Queue, upto: i64) -> Result<Answer, Fault> {
    draft.linked(guid)?;
    let upto = u64::try_from(upto);
    let upto = upto.map_err(|_| Fault::invalid("the last item's number can't be less than 0"))?;
    if upto > 0 {
        let accept = ConnectorCommand::Accept {
            guid: guid.to_owned(),
            queue,
            upto: Seq(upto),
        };
        draft.decided(Command::Connector(accept))?;
    }
    Ok(draft.answer("accepted"))
}

/// Nothing is thrown away: what waits is called accepted, and can be asked for again.
fn clear(draft: &mut Draft) -> Result<Answer, Fault> {
    let Ok(link) = draft.link().cloned() else {
        return Ok(draft.answer("nothing waits"));
    };
    let upto = draft.state().seq;
    for session in &link.sessions {
        for queue in Queue::ALL {
            let accept = ConnectorCommand::Accept {
                guid: session.guid.clone(),
                queue,
                upto,
            };
            draft.decided(Command::Connector(accept))?;
        }
    }
    Ok(draft.answer("what waited is taken as read; asking for everything still brings it"))
}

fn go_on(draft: &mut Draft, wanted: &Continue) -> Result<Answer, Fault> {
    let club = &draft.state().club;
    let session = if wanted.event_guid.is_empty() {
        club.chosen.filter(|chosen| club.links.contains_key(chosen))
    } else {
        club.linked_event(&wanted.event_guid)
    };
    let session = session.ok_or_else(|| {
        let why = "this event was never set up here: set it up first";
        Fault::new(ErrorType::EntryUnknown, why)
    })?;
    if club.chosen != Some(session) {
        draft.alone(Command::ChooseSession { session });
    }
    Ok(draft.answer("the event goes on"))
}

/// How much waits for the program in each of its queues.
pub fn waiting(state: &State, memory: &mut Memory) -> Vec<(Queue, usize)> {
    let Some((session, link)) = linked(state) else {
        return Vec::new();
    };
    let mut counts = Vec::new();
    for queue in Queue::ALL {
        let mut count = 0;
        for part in &link.sessions {
            let club = &state.club;
            let now = Now {
                club,
                session,
                link,
                part,
            };
            let known = memory.known(state, session, accepted(now, queue));
            count += now.new_items(queue, &known).len();
        }
        counts.push((queue, count));
    }
    counts
}

fn linked(state: &State) -> Option<(&crate::session::Session, &crate::session::Link)> {
    let session = state.session.as_ref()?;
    Some((session, state.club.links.get(&session.id)?))
}

/// What the program can't be told, sentence by sentence.
pub fn losses(state: &State) -> Vec<Told> {
    let Some((session, link)) = linked(state) else {
        return Vec::new();
    };
    let letters: Vec<_> = link.sections().map(|it| it.section).collect();
    let mut losses = Vec::new();
    for (cell, line) in &session.lines {
        if !letters.contains(&cell.section) {
            continue;
        }
        let (board, table) = (cell.board, cell.table_id());
        if Said::of(line) == Said::NoWords {
            losses.push(tell!(Connector::BoardAtTableScoring { board, table }));
        } else if line.form != crate::session::Line::USUAL_FORM {
            losses.push(tell!(Connector::BoardAtTableScoringProgram {
                board,
                table
            }));
        }
    }
    for penalty in session.penalties.values() {
        let pair = penalty.pair;
        losses.push(tell!(Connector::PairScoringProgramDoes { pair }));
    }
    for (pair, partner, from, _) in session.roster.iter() {
        if from > protocol::words::RoundNumber::FIRST
            && session.roster.all_of(pair, partner).count() > 1
        {
            losses.push(tell!(Connector::PairScoringProgramDoesNot { pair, from }));
        }
    }
    let losses = losses.into_iter();
    losses
        .map(|loss| session.calling(&state.club, loss))
        .collect()
}
