//! Who plays: names and numbers of the pairs, substitutes, and what does not fit together.

use imbl::OrdMap;
use protocol::words::{PlayerNumber, RoundNumber};

use super::plan::Partner;
use super::{Club, PairId};

/// The players of a session, by pair, partner and the round from which on they play.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Roster {
    players: OrdMap<(PairId, Partner, RoundNumber), Player>,
    /// With how many digits numbers were typed, as zeros in front are part of them.
    digits: OrdMap<PlayerNumber, u8>,
}

/// One player, as far as known.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Player {
    /// The number typed at the table or by the director.
    pub number: Option<PlayerNumber>,
    /// The name given for tonight; otherwise the club's list knows it.
    pub name: Option<String>,
}

impl Roster {
    pub(super) fn seat(
        &mut self,
        pair: PairId,
        partner: Partner,
        from: RoundNumber,
        player: Player,
    ) {
        // Typing the same number again in a later round is not a substitution.
        let before = self.at(pair, partner, from);
        if before.is_some_and(|before| before.number == player.number && player.name.is_none()) {
            return;
        }
        self.players.insert((pair, partner, from), player);
    }

    /// A number was typed with so many digits; 0 where nobody says.
    pub(super) fn write(&mut self, number: PlayerNumber, digits: u8) {
        if digits > 0 {
            self.digits.insert(number, digits);
        }
    }

    /// With how many digits a number was typed, where that is known.
    pub(super) fn digits(&self, number: PlayerNumber) -> Option<u8> {
        self.digits.get(&number).copied()
    }

    /// A pair goes by another number from now on.
    pub(super) fn renumber(&mut self, old: PairId, new: PairId) {
        let of_pair =
            (old, Partner::First, RoundNumber::MIN)..=(old, Partner::Second, RoundNumber::MAX);
        let players: Vec<_> = self
            .players
            .range(of_pair)
            .map(|(key, player)| (*key, player.clone()))
            .collect();
        for (key, player) in players {
            self.players.remove(&key);
            self.players.insert((new, key.1, key.2), player);
        }
    }

    /// Who plays this half of the pair in a round.
    pub fn at(&self, pair: PairId, partner: Partner, round: RoundNumber) -> Option<&Player> {
        let until = (pair, partner, RoundNumber::MIN)..=(pair, partner, round);
        let latest = self.players.range(until).next_back();
        latest
            .or_else(|| {
                // Numbers typed late in the evening count from the start where nobody else did.
                let later = (pair, partner, round)..=(pair, partner, RoundNumber::MAX);
                self.players.range(later).next()
            })
            .map(|(_, player)| player)
    }

    /// Everybody who plays this half of the pair, with the round they begin.
    pub fn all_of(
        &self,
        pair: PairId,
        partner: Partner,
    ) -> impl Iterator<Item = (RoundNumber, &Player)> {
        let all = (pair, partner, RoundNumber::MIN)..=(pair, partner, RoundNumber::MAX);
        self.players
            .range(all)
            .map(|((_, _, from), player)| (*from, player))
    }

    /// Everybody.
    pub fn iter(&self) -> impl Iterator<Item = (PairId, Partner, RoundNumber, &Player)> {
        self.players
            .iter()
            .map(|((pair, partner, from), player)| (*pair, *partner, *from, player))
    }

    /// A player's name as printed; empty where nobody knows it.
    pub fn name(&self, club: &Club, pair: PairId, partner: Partner, round: RoundNumber) -> String {
        self.at(pair, partner, round)
            .map(|player| player.name_from(club))
            .unwrap_or_default()
    }

    /// Numbers that two different seats claim, with the pairs that do.
    pub fn claimed_twice(&self) -> Vec<(PlayerNumber, Vec<PairId>)> {
        let mut claims: std::collections::BTreeMap<PlayerNumber, Vec<(PairId, Partner)>> =
            std::collections::BTreeMap::new();
        for ((pair, partner, _), player) in &self.players {
            if let Some(number) = player.number.filter(|n| *n != PlayerNumber::VISITOR) {
                let seats = claims.entry(number).or_default();
                if !seats.contains(&(*pair, *partner)) {
                    seats.push((*pair, *partner));
                }
            }
        }
        claims
            .into_iter()
            .filter(|(_, seats)| seats.len() > 1)
            .map(|(number, seats)| (number, seats.into_iter().map(|(pair, _)| pair).collect()))
            .collect()
    }
}

impl Player {
    /// The name as printed; empty where nobody knows it.
    pub fn name_from(&self, club: &Club) -> String {
        self.name.clone().unwrap_or_else(|| match self.number {
            Some(PlayerNumber::VISITOR) => "Visitor".to_owned(),
            Some(number) => club.members.get(&number).cloned().unwrap_or_default(),
            None => String::new(),
        })
    }
}
