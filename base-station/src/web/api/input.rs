//! Reads what people write into the words of the game.

use protocol::words::{
    BoardNumber, BoardResult, Contract, Percentage, Played, PlayerNumber, RoundNumber, Score, Seat,
    SectionLetter,
};
use serde::Deserialize;
use utoipa::ToSchema;

use crate::session::plan::{Grounds, PenaltyAmount, Ruling, SideAward, WeightedScore};
use crate::session::{Cell, PairId, TableId};
use crate::web::Problem;
use telling::{Decimal, tell};

/// A line of a score sheet. It is part of larger bodies, so it lets other fields be.
#[derive(Clone, Debug, Deserialize, ToSchema)]
pub(super) struct Place {
    /// The table, as `A7`.
    #[schema(example = "A7")]
    pub(super) table: String,
    pub(super) round: u8,
    pub(super) board: u8,
}

/// Who was asked before a result was changed, or why nobody had to be.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub(super) enum WhoWasAsked {
    /// Both sides.
    Both,
    /// Nobody: no contract gives that score.
    Impossible,
    /// Nobody: it was reckoned with another vulnerability.
    Vulnerable,
    /// Nobody: it is a ruling.
    Ruling,
}

impl WhoWasAsked {
    pub(super) const fn grounds(self) -> Grounds {
        match self {
            Self::Both => Grounds::BothAsked,
            Self::Impossible => Grounds::Impossible,
            Self::Vulnerable => Grounds::Vulnerability,
            Self::Ruling => Grounds::Ruling,
        }
    }
}

/// What became of a board, as the director writes it.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, tag = "kind")]
pub(super) enum ResultInput {
    /// Bid and played.
    Played {
        /// `4S`, `3NT`, `5DX`, `2HXX`.
        #[schema(example = "4SX")]
        contract: String,
        /// N, E, S or W.
        #[schema(example = "S")]
        declarer: String,
        /// `=`, `+1`, `-2`.
        #[schema(example = "+1")]
        result: String,
        /// `HK`; left out where it is not known.
        #[schema(example = "HK")]
        lead: Option<String>,
    },
    /// Four passes.
    PassedOut,
    /// Not played here.
    NotPlayed,
    /// Will be played later.
    LatePlay,
    /// Each side gets its own.
    Adjusted { ns: AwardInput, ew: AwardInput },
    /// There is no result after all.
    TakenAway,
}

/// What one side is awarded.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AwardInput {
    kind: AwardKind,
    /// A percentage (`60`), a score for North-South (`620`), or weighted scores
    /// (`60% 420, 40% -50`); nothing for averages.
    #[serde(default)]
    #[schema(example = "60")]
    value: String,
}

/// Kinds of awards.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
enum AwardKind {
    Percent,
    AveragePlus,
    Average,
    AverageMinus,
    Score,
    Weighted,
}

impl Place {
    pub(super) fn cell(&self) -> Result<Cell, Problem> {
        Ok(Cell::new(
            table(&self.table)?,
            round(self.round)?,
            board(self.board)?,
        ))
    }
}

impl ResultInput {
    pub(super) fn ruling(&self) -> Result<Ruling, Problem> {
        Ok(match self {
            Self::Played {
                contract,
                declarer,
                result,
                lead,
            } => Ruling::Result(BoardResult::Played(played(
                contract,
                declarer,
                result,
                lead.as_deref().unwrap_or_default(),
            )?)),
            Self::PassedOut => Ruling::Result(BoardResult::PassedOut),
            Self::NotPlayed => Ruling::Result(BoardResult::NotPlayed),
            Self::LatePlay => Ruling::LatePlay,
            Self::Adjusted { ns, ew } => Ruling::Award {
                ns: ns.award()?,
                ew: ew.award()?,
            },
            Self::TakenAway => Ruling::TakenAway,
        })
    }
}

/// A contract with its result. An empty lead is no lead.
pub(super) fn played(
    contract: &str,
    declarer: &str,
    result: &str,
    lead: &str,
) -> Result<Played, Problem> {
    let declarer: Seat = declarer.parse()?;
    let contract = Contract::parse(contract, declarer)?;
    let tricks = contract.level.tricks_from_text(result)?;
    let lead = match lead.trim() {
        "" => None,
        lead => Some(lead.parse()?),
    };
    Ok(Played {
        contract,
        tricks,
        lead,
    })
}

impl AwardInput {
    fn award(&self) -> Result<SideAward, Problem> {
        Ok(match self.kind {
            AwardKind::Percent => SideAward::Percent(percentage(&self.value)?),
            AwardKind::AveragePlus => SideAward::AveragePlus,
            AwardKind::Average => SideAward::Average,
            AwardKind::AverageMinus => SideAward::AverageMinus,
            AwardKind::Score => SideAward::Score(score(&self.value)?),
            AwardKind::Weighted => SideAward::Weighted(weighted(&self.value)?),
        })
    }
}

/// `60% 420, 40% -50`.
fn weighted(text: &str) -> Result<Vec<WeightedScore>, Problem> {
    let outcomes: Vec<WeightedScore> = text
        .split([',', ';'])
        .map(|part| {
            let (share, points) = part
                .trim()
                .split_once(char::is_whitespace)
                .ok_or_else(|| Problem::unreadable(tell!(Asked::ExpectedSharesScoresSuch)))?;
            Ok(WeightedScore {
                score: score(points)?,
                weight: percentage(share)?,
            })
        })
        .collect::<Result<_, Problem>>()?;
    let whole: u32 = outcomes
        .iter()
        .map(|outcome| u32::from(outcome.weight.get()))
        .sum();
    if whole == u32::from(Percentage::MAX.get()) {
        Ok(outcomes)
    } else {
        Err(Problem::unreadable(tell!(
            Asked::SharesMustMake100Together {
                whole: Decimal::new(f64::from(whole) / 100.0, 2)
            }
        )))
    }
}

/// `60`, `60%`, `52.08`, `52,08`.
pub(super) fn percentage(text: &str) -> Result<Percentage, Problem> {
    hundredths(text.trim().trim_end_matches('%'))
        .and_then(|value| u16::try_from(value).ok())
        .and_then(Percentage::new)
        .ok_or_else(|| Problem::unreadable(tell!(Asked::ExpectedPercentageFrom0)))
}

/// A number with at most two decimals, as hundredths.
fn hundredths(text: &str) -> Option<u32> {
    let text = text.trim().replace(',', ".");
    let (whole, parts) = text.split_once('.').unwrap_or((&text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !digits(whole) || !digits(parts) || parts.len() > 2 {
        return None;
    }
    let parts: u32 = format!("{parts:0<2}").parse().ok()?;
    whole
        .parse::<u32>()
        .ok()?
        .checked_mul(100)?
        .checked_add(parts)
}

/// Points for North-South, in tens.
pub(super) fn score(text: &str) -> Result<Score, Problem> {
    text.trim()
        .trim_start_matches('+')
        .replace('\u{2212}', "-")
        .parse::<i16>()
        .ok()
        .filter(|points| points % 10 == 0 && points.abs() <= 7600)
        .map(Score)
        .ok_or_else(|| Problem::unreadable(tell!(Asked::ExpectedPointsTensSuch)))
}

/// What an offence costs.
pub(super) fn penalty(kind: PenaltyKind, value: &str) -> Result<PenaltyAmount, Problem> {
    let points = || {
        hundredths(value)
            .filter(|points| *points > 0)
            .ok_or_else(|| Problem::unreadable(tell!(Asked::ExpectedHowMuchTake)))
    };
    Ok(match kind {
        PenaltyKind::Warning => PenaltyAmount::Warning,
        PenaltyKind::PercentOfTop => PenaltyAmount::PercentOfTop(percentage(value)?),
        PenaltyKind::PercentOfSession => PenaltyAmount::PercentOfSession(percentage(value)?),
        PenaltyKind::Matchpoints => PenaltyAmount::Matchpoints(points()?),
        PenaltyKind::VictoryPoints => PenaltyAmount::VictoryPoints(points()?),
        PenaltyKind::Imps => PenaltyAmount::Imps(
            u16::try_from(points()? / 100)
                .ok()
                .filter(|imps| *imps > 0)
                .ok_or_else(|| Problem::unreadable(tell!(Asked::ExpectedWholeImpsSuch)))?,
        ),
    })
}

/// Kinds of penalties.
#[derive(Clone, Copy, Debug, Deserialize, ToSchema)]
pub(super) enum PenaltyKind {
    /// Nothing yet.
    Warning,
    /// Percent of the top on a board.
    PercentOfTop,
    /// Percent of the whole session.
    PercentOfSession,
    /// Matchpoints.
    Matchpoints,
    /// Victory points.
    VictoryPoints,
    /// IMPs.
    Imps,
}

pub(super) fn table(text: &str) -> Result<TableId, Problem> {
    Ok(text.parse::<TableId>()?)
}

pub(super) fn section(text: &str) -> Result<SectionLetter, Problem> {
    Ok(text.parse::<SectionLetter>()?)
}

pub(super) fn round(number: u8) -> Result<RoundNumber, Problem> {
    Ok(RoundNumber::try_from(number)?)
}

pub(super) fn board(number: u8) -> Result<BoardNumber, Problem> {
    Ok(BoardNumber::try_from(number)?)
}

pub(super) fn pair(text: &str) -> Result<PairId, Problem> {
    Ok(text.parse::<PairId>()?)
}

pub(super) fn player(number: u32) -> Result<PlayerNumber, Problem> {
    Ok(PlayerNumber::try_from(number)?)
}
