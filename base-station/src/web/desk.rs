//! The page's way to the session: what it reads, and commands with the director's name on them.

use std::sync::Arc;

use axum::Json;
use protocol::link::Tally;
use protocol::words::SessionId;
use tokio::sync::watch;

use super::api::Done;
use super::auth::Access;
use super::{Director, Problem};
use crate::daemon::{
    self, Cable, Centre, Clock, Coupling, HandleError, House, Modems, Qualities, Receiver,
    SessionHandle, SystemClock,
};
use crate::session::{Command, Moment, Presence, Preview, Refused, Session, State, Trust, Who};
use crate::store::Checked;
use crate::view::{self, Lamp, LampState, Lamps, View};
use crate::watch::Warning;
use telling::{Told, tell};

/// A way to the session, and a clock.
#[derive(Clone, Debug)]
pub struct Desk {
    session: SessionHandle,
    coupling: Option<Coupling>,
    cable: Option<Cable>,
    modems: Option<Modems>,
    house: Option<House>,
    centre: Option<Centre>,
}

impl From<SessionHandle> for Desk {
    fn from(session: SessionHandle) -> Self {
        Self {
            session,
            coupling: None,
            cable: None,
            modems: None,
            house: None,
            centre: None,
        }
    }
}

impl Desk {
    /// The same, with a way to the BWS file.
    pub fn with_coupling(self, coupling: Coupling) -> Self {
        let coupling = Some(coupling);
        Self { coupling, ..self }
    }

    /// The same, with the pads that are plugged in.
    pub fn with_cable(self, cable: Cable) -> Self {
        let cable = Some(cable);
        Self { cable, ..self }
    }

    /// The pads that are plugged in; none where the base station is not the real one.
    pub(super) fn cable(&self) -> Result<&Cable, Problem> {
        let none = || Problem::not_found(tell!(Asked::NoPortsForCables));
        self.cable.as_ref().ok_or_else(none)
    }

    /// The same, with the receivers' modems.
    pub fn with_modems(self, modems: Modems) -> Self {
        let modems = Some(modems);
        Self { modems, ..self }
    }

    /// The receivers' modems; none where the base station is not the real one.
    pub(super) const fn modems(&self) -> Option<&Modems> {
        self.modems.as_ref()
    }

    /// The same, with the centre that it may have joined.
    pub fn with_centre(self, centre: Centre) -> Self {
        let centre = Some(centre);
        Self { centre, ..self }
    }

    /// The way to the centre; none where the base station is not the real one.
    pub(super) fn centre(&self) -> Result<&Centre, Problem> {
        let none = || Problem::not_found(tell!(Centre::NoCentre));
        self.centre.as_ref().ok_or_else(none)
    }

    /// The same, with its place on the machine.
    pub fn with_house(self, house: House) -> Self {
        let house = Some(house);
        Self { house, ..self }
    }

    /// Its place on the machine; none where the base station is not the real one.
    pub(super) fn house(&self) -> Result<&House, Problem> {
        let none = || Problem::not_found(tell!(Asked::NoPlaceOnMachine));
        self.house.as_ref().ok_or_else(none)
    }

    /// The session, for what is not a command.
    pub(super) const fn session(&self) -> &SessionHandle {
        &self.session
    }

    /// What was heard of pads since the start.
    pub(super) fn presence(&self) -> Presence {
        self.session.view().presence.clone()
    }

    /// The way to the BWS file; none where the base station is not the real one.
    pub(super) fn coupling(&self) -> Option<&Coupling> {
        self.coupling.as_ref()
    }

    /// The state as it is now.
    pub fn state(&self) -> State {
        self.session.view().state.clone()
    }

    /// The moment it is.
    pub fn now(&self) -> Moment {
        SystemClock.now()
    }

    /// What the page shows now, with warnings that may be older.
    pub(super) fn view_with(&self, warnings: &[Warning], watch_failed: bool) -> View {
        let known = self.session.view();
        let lamps = lamps(&known, watch_failed);
        let warnings = view::shown(&known.state, warnings);
        View::of(&known.state, &known.presence, lamps, warnings, self.now())
    }

    /// What a command that changes a movement would mean. Nothing happens.
    pub(super) async fn preview(&self, command: Command) -> Result<Preview, Problem> {
        let (state, now) = (self.state(), self.now());
        // Looking for a guest's seats can take a while: off the async threads.
        tokio::task::spawn_blocking(move || state.preview(&command, now))
            .await
            .map_err(Problem::fault)?
            .map_err(|refused| self.refusal(refused))
    }

    /// Why a command is not done, with pairs as the room calls them.
    fn refusal(&self, refused: Refused) -> Problem {
        Problem::refused(self.state().calling(refused.0))
    }

    /// The whole journal as one file, copied while it is in use.
    pub(super) async fn backup(&self) -> Result<Vec<u8>, Problem> {
        let folder = tempfile::tempdir().map_err(Problem::fault)?;
        let file = folder.path().join(crate::store::FILE_NAME);
        let done = self.session.backup(file.clone()).await;
        done.map_err(Problem::fault)?;
        tokio::fs::read(file).await.map_err(Problem::fault)
    }

    /// A session as one file.
    pub(super) async fn export(&self, session: SessionId) -> Result<Vec<u8>, Problem> {
        let done = self.session.export(session).await;
        done.map_err(Problem::fault)
    }

    /// Takes in a session from such a file; answers with its new number.
    pub(super) async fn import(
        &self,
        director: &Director,
        file: Vec<u8>,
    ) -> Result<SessionId, Problem> {
        let who = Who::Director(director.0.clone());
        match self.session.import(file, who, self.now()).await {
            Ok(session) => Ok(session),
            Err(HandleError::File(why)) => Err(Problem::unreadable(why)),
            Err(other) => Err(Problem::fault(other)),
        }
    }

    /// A session of the calendar as it stands, the chosen one unless another is named.
    pub(super) async fn known_session(
        &self,
        wanted: Option<SessionId>,
    ) -> Result<(State, Session), Problem> {
        match daemon::known_session(&self.session, wanted).await {
            Ok(known) => Ok(known),
            Err(HandleError::File(why)) => Err(Problem::refused(why)),
            Err(other) => Err(Problem::fault(other)),
        }
    }

    /// Takes in a session of another program.
    pub(super) async fn take_in(
        &self,
        director: &Director,
        file: Vec<u8>,
    ) -> Result<daemon::TakenIn, Problem> {
        let who = Who::Director(director.0.clone());
        match daemon::take_in(&self.session, file, who, self.now()).await {
            Ok(taken) => Ok(taken),
            Err(HandleError::File(why)) => Err(Problem::unreadable(why)),
            Err(other) => Err(Problem::fault(other)),
        }
    }

    /// Tells that something changed.
    pub(super) fn changes(&self) -> watch::Receiver<Arc<daemon::View>> {
        self.session.watch()
    }

    /// The receivers, and the frames they brought.
    pub(super) fn radio(&self) -> (Vec<Receiver>, Tally) {
        let known = self.session.view();
        (known.receivers.clone(), known.tally)
    }

    /// How often pads had to call.
    pub(super) fn qualities(&self) -> Qualities {
        self.session.view().qualities.clone()
    }

    /// What the club has decided about access.
    pub fn access(&self) -> Access {
        let known = self.session.view();
        Access {
            password: known.state.club.password.clone(),
            reading_without_password: known.state.club.reading_without_password,
        }
    }

    /// Makes a phone that has read a code a pad of the session, or a pair's own.
    pub(super) async fn admit_phone(&self, joined: Trust) -> Result<(), Problem> {
        let command = Command::ChangeTrust(joined);
        match self.session.command(command, Who::Base).await {
            Ok(_) => Ok(()),
            Err(HandleError::Refused(refused)) => Err(self.refusal(refused)),
            Err(other) => Err(Problem::fault(other)),
        }
    }

    /// Whether the director's command would be refused as things stand; nothing is done.
    pub(super) fn would_do(&self, director: &Director, command: &Command) -> Result<(), Problem> {
        let who = Who::Director(director.0.clone());
        let decided = self.state().decide(command, &who, self.now());
        decided
            .map(|_records| ())
            .map_err(|refused| self.refusal(refused))
    }

    /// Does what the director asks for. It is in the journal when this answers, and whoever looks
    /// afterwards sees it.
    pub async fn act(&self, director: &Director, command: Command) -> Result<Done, Problem> {
        let who = Who::Director(director.0.clone());
        match self.session.command(command, who).await {
            Ok(seq) => {
                // The owner answers first and publishes then; a page that asks next must not be
                // shown what was there before.
                let mut views = self.session.watch();
                let shown = views.wait_for(|view| view.state.seq >= seq).await;
                shown.map_err(Problem::fault)?;
                Ok(Done { seq })
            }
            Err(HandleError::Refused(refused)) => Err(self.refusal(refused)),
            Err(other) => Err(Problem::fault(other)),
        }
    }

    /// The same, as the answer to a request.
    pub(super) async fn done(
        &self,
        director: &Director,
        command: Command,
    ) -> Result<Json<Done>, Problem> {
        self.act(director, command).await.map(Json)
    }
}

/// The watchful base watches, or it has failed.
pub(super) fn watch_lamp(failed: bool) -> Lamp {
    let (state, text) = if failed {
        (LampState::Bad, tell!(Lamp::ChecksFailedBeginAnew))
    } else {
        (LampState::Good, tell!(Lamp::ChecksLookAtEvery))
    };
    Lamp { state, text }
}

fn lamps(known: &daemon::View, watch_failed: bool) -> Lamps {
    let lamp = |state, text: Told| Lamp { state, text };
    let unplugged: Vec<&str> = known
        .receivers
        .iter()
        .filter(|receiver| !receiver.connected)
        .map(|receiver| receiver.name.as_str())
        .collect();
    let held_back = known.receivers.iter().map(|it| it.held_back).max();
    let receiver = if known.receivers.is_empty() {
        lamp(LampState::Off, tell!(Lamp::NoReceiverUse))
    } else if !unplugged.is_empty() {
        let names = unplugged.join(", ");
        lamp(LampState::Bad, tell!(Lamp::NotConnectedPlugAgain { names }))
    } else if let Some(held_back @ 1..) = held_back {
        lamp(LampState::Bad, tell!(Lamp::AirtimeIsUsedUp { held_back }))
    } else {
        lamp(LampState::Good, tell!(Lamp::Connected))
    };
    let journal = match (
        &known.journal_fault,
        &known.journal_neglected,
        &known.journal_check,
    ) {
        (Some(fault), ..) => lamp(LampState::Bad, fault.clone()),
        (None, _, Checked::Damaged(what)) => lamp(
            LampState::Bad,
            tell!(Lamp::JournalDamagedStartBase { what }),
        ),
        (None, Some(what), _) => lamp(LampState::Bad, tell!(Lamp::EveryResultDiskBut { what })),
        (None, None, Checked::Underway(percent)) => lamp(
            LampState::Off,
            tell!(Lamp::EveryResultDiskJournal { percent }),
        ),
        (None, None, Checked::Sound) => lamp(LampState::Good, tell!(Lamp::EveryResultDisk)),
    };
    Lamps {
        receiver,
        journal,
        watch: watch_lamp(watch_failed),
    }
}
