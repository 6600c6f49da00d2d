//! The envelope: a command with its data, and the answer to it.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The longest piece of somebody else's text that is quoted back.
const QUOTE_LEN_MAX: usize = 200;

/// What a program asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Is anybody there?
    Connect,
    /// Good bye.
    Disconnect,
    /// Say the same again.
    Ping,
    /// A new event with its sessions.
    InitializeEvent,
    /// Another movement for a section, a new section, or none.
    UpdateMovement,
    /// One more session of an event.
    AddSession,
    /// Which sections are scored together, and how.
    UpdateScoringGroups,
    /// Data for one of the queues' subjects.
    Put(Queue),
    /// Settings of the older terminals.
    PutBridgemate2Settings,
    /// Settings of the newer terminals.
    PutBridgemate3Settings,
    /// What has not been accepted yet.
    PollNew(Queue),
    /// Everything.
    PollAll(Queue),
    /// Everything up to a number has arrived.
    Accept(Queue),
    /// Go on with an earlier event.
    ContinueEvent,
    /// The movement of a section.
    GetMovement,
    /// The movements of all sections.
    GetAllMovements,
    /// Questions about the vendor's own program.
    ManageBcs,
    /// Forget what waits.
    ClearData,
    /// A number without a meaning here.
    Other(i64),
}

/// What queues are about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Queue {
    /// Results of boards.
    Results,
    /// Names of players.
    PlayerData,
    /// Who sits where.
    Participations,
    /// Cards.
    Handrecords,
    /// Calls for the director.
    TdCalls,
}

impl Queue {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Results,
        Self::PlayerData,
        Self::Participations,
        Self::Handrecords,
        Self::TdCalls,
    ];

    /// What its items are called in an answer.
    pub const fn data_type(self) -> DataType {
        match self {
            Self::Results => DataType::Results,
            Self::PlayerData => DataType::PlayerData,
            Self::Participations => DataType::Participations,
            Self::Handrecords => DataType::Handrecords,
            Self::TdCalls => DataType::TdCalls,
        }
    }
}

impl From<i64> for Command {
    fn from(number: i64) -> Self {
        use Queue::{Handrecords, Participations, PlayerData, Results, TdCalls};
        match number {
            1 => Self::Connect,
            3 => Self::Disconnect,
            4 => Self::Ping,
            5 => Self::InitializeEvent,
            6 => Self::UpdateMovement,
            7 => Self::AddSession,
            8 => Self::UpdateScoringGroups,
            10 => Self::Put(Results),
            11 => Self::Put(PlayerData),
            12 => Self::Put(Participations),
            13 => Self::Put(Handrecords),
            14 => Self::PutBridgemate2Settings,
            15 => Self::PutBridgemate3Settings,
            19 => Self::PollNew(Results),
            20 => Self::PollNew(PlayerData),
            21 => Self::PollNew(Participations),
            22 => Self::PollNew(Handrecords),
            23 => Self::PollAll(Results),
            24 => Self::PollAll(PlayerData),
            25 => Self::PollAll(Participations),
            26 => Self::PollAll(Handrecords),
            27 => Self::Accept(Results),
            28 => Self::Accept(PlayerData),
            29 => Self::Accept(Participations),
            30 => Self::Accept(Handrecords),
            31 => Self::ContinueEvent,
            32 => Self::GetMovement,
            33 => Self::GetAllMovements,
            34 => Self::ManageBcs,
            35 => Self::ClearData,
            36 => Self::PollNew(TdCalls),
            37 => Self::PollAll(TdCalls),
            38 => Self::Accept(TdCalls),
            39 => Self::Put(TdCalls),
            other => Self::Other(other),
        }
    }
}

/// What the data of an answer are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DataType {
    /// It is done; a sentence may follow.
    Ok = 1,
    /// It is not done, and a sentence says why.
    Error = 4,
    /// A list of players.
    PlayerData = 10,
    /// A list of seats.
    Participations = 11,
    /// A list of results.
    Results = 12,
    /// A list of deals.
    Handrecords = 13,
    /// One section.
    Movement = 14,
    /// A list of sections.
    Sessions = 16,
    /// A list of calls.
    TdCalls = 21,
}

/// Why something is not done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorType {
    /// It is done.
    None = 0,
    /// Something else goes on that must end first.
    Busy = 1,
    /// Data were expected.
    NoData = 2,
    /// The section, table or round is not there, or can't be like that.
    Movement = 4,
    /// The data can't be right.
    Validation = 5,
    /// Nobody knows this session.
    EntryUnknown = 6,
    /// Something here is broken.
    Exception = 7,
    /// Nobody does that here.
    NotImplemented = 8,
    /// The data are something else.
    WrongDataType = 12,
    /// There is no such command.
    UnexpectedCommand = 13,
}

/// Why something is not done, with a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// For the program.
    pub kind: ErrorType,
    /// For people.
    pub sentence: String,
}

impl Fault {
    /// With this sentence.
    pub fn new(kind: ErrorType, sentence: impl Into<String>) -> Self {
        Self {
            kind,
            sentence: sentence.into(),
        }
    }

    /// Data that can't be right.
    pub fn invalid(sentence: impl Into<String>) -> Self {
        Self::new(ErrorType::Validation, sentence)
    }

    /// Something that nobody does here.
    pub fn not_here(sentence: impl Into<String>) -> Self {
        Self::new(ErrorType::NotImplemented, sentence)
    }
}

/// A request as it arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// What is asked for.
    pub command: Command,
    /// The number that stood for it, to be said again in the answer.
    pub number: i64,
    /// Who asks, as the program says.
    pub club: String,
    /// What the club has paid for, as the program says.
    pub licence: String,
    /// The session it is about; empty where it is about none.
    pub session: String,
    /// JSON, or nothing.
    pub data: String,
}

#[derive(Default, Deserialize)]
#[serde(default, rename_all = "PascalCase")]
struct Written {
    command: Option<i64>,
    club_id: String,
    licence_key: String,
    session_guid: String,
    serialized_data: String,
}

impl Request {
    /// Reads a request, or says what it is not, as the answer to it.
    pub fn read(body: &[u8]) -> Result<Self, Answer> {
        let expected = |why: String| Answer::fault(0, "", &Fault::invalid(why));
        let value: Value = serde_json::from_slice(body)
            .map_err(|fault| expected(format!("the request is not JSON: {}", quoted(&fault))))?;
        if !value.is_object() {
            let why = "expected a request: an object with Command, SessionGuid and SerializedData";
            return Err(expected(why.to_owned()));
        }
        let written: Written = serde_json::from_value(without_nulls(value))
            .map_err(|fault| expected(format!("the request can't be read: {}", quoted(&fault))))?;
        let Some(number) = written.command else {
            return Err(expected("the request has no Command".to_owned()));
        };
        Ok(Self {
            command: number.into(),
            number,
            club: written.club_id,
            licence: written.licence_key,
            session: written.session_guid,
            data: written.serialized_data,
        })
    }

    /// Its data.
    pub fn data<T: DeserializeOwned>(&self) -> Result<T, Fault> {
        if self.data.trim().is_empty() {
            let why = "this command needs data in SerializedData";
            return Err(Fault::new(ErrorType::NoData, why));
        }
        let wrong = |fault: serde_json::Error| {
            let why = format!(
                "the data are not what the command needs: {}",
                quoted(&fault)
            );
            Fault::new(ErrorType::WrongDataType, why)
        };
        let value: Value = serde_json::from_str(&self.data).map_err(wrong)?;
        serde_json::from_value(without_nulls(value)).map_err(wrong)
    }

    /// The answer to it.
    pub fn answer(&self, answered: Result<Answer, Fault>) -> Answer {
        match answered {
            Ok(mut answer) => {
                answer.command = self.number;
                answer.session.clone_from(&self.session);
                answer
            }
            Err(fault) => Answer::fault(self.number, &self.session, &fault),
        }
    }
}

/// Fields that are `null` are as if they were not there.
fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().filter(|(_, value)| !value.is_null());
            Value::Object(
                fields
                    .map(|(name, value)| (name, without_nulls(value)))
                    .collect(),
            )
        }
        Value::Array(items) => Value::Array(items.into_iter().map(without_nulls).collect()),
        plain @ (Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_)) => plain,
    }
}

/// A fault of somebody else's text, cut to a length that can be shown.
fn quoted(fault: &serde_json::Error) -> String {
    let text = fault.to_string();
    if text.chars().count() <= QUOTE_LEN_MAX {
        return text;
    }
    let begin: String = text.chars().take(QUOTE_LEN_MAX).collect();
    format!("{begin} ...")
}

/// An answer on its way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    command: i64,
    data_type: DataType,
    error: ErrorType,
    last: u64,
    session: String,
    data: String,
}

impl Answer {
    /// It is done.
    pub fn done(sentence: &str) -> Self {
        Self::with(DataType::Ok, 0, &sentence)
    }

    /// The same again.
    pub fn echo(data: &str) -> Self {
        Self {
            data: data.to_owned(),
            ..Self::with(DataType::Ok, 0, &"")
        }
    }

    /// Data of this type; `last` is the number of the last item of a queue.
    pub fn with(data_type: DataType, last: u64, data: &impl Serialize) -> Self {
        Self {
            command: 0,
            data_type,
            error: ErrorType::None,
            last,
            session: String::new(),
            data: serde_json::to_string(data).unwrap_or_default(),
        }
    }

    /// It is not done.
    pub fn fault(command: i64, session: &str, fault: &Fault) -> Self {
        Self {
            command,
            error: fault.kind,
            session: session.to_owned(),
            ..Self::with(DataType::Error, 0, &fault.sentence)
        }
    }

    /// Why it is not done, if it is not.
    pub const fn error(&self) -> ErrorType {
        self.error
    }

    /// What its data are.
    pub const fn data_type(&self) -> DataType {
        self.data_type
    }

    /// The data themselves, as JSON.
    pub fn data(&self) -> &str {
        &self.data
    }

    /// The number of the last item of a queue.
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// As it goes out.
    pub fn to_json(&self) -> String {
        serde_json::json!({
            "RequestCommand": self.command,
            "DataType": self.data_type as u8,
            "LastQueueItemId": self.last,
            "ErrorType": self.error as u8,
            "SessionGuid": self.session,
            "SerializedData": self.data,
        })
        .to_string()
    }
}
