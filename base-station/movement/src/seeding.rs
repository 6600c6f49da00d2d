//! Where the seeded pairs of a Mitchell sit, so that no direction and no section is the strong one.

use protocol::words::{PairNumber, Side};
use serde::Serialize;

use super::Refused;
use super::generate::build::pair;

/// A seed's direction in the first and the second session: the pattern begins again after four.
const TWO_SESSIONS: [[Side; 2]; 4] = [
    [Side::NorthSouth, Side::NorthSouth],
    [Side::NorthSouth, Side::EastWest],
    [Side::EastWest, Side::NorthSouth],
    [Side::EastWest, Side::EastWest],
];

/// A seed's section and direction: the pattern begins again after eight.
const TWO_SECTIONS: [(u8, Side); 8] = [
    (1, Side::NorthSouth),
    (2, Side::NorthSouth),
    (1, Side::NorthSouth),
    (2, Side::EastWest),
    (1, Side::EastWest),
    (2, Side::NorthSouth),
    (1, Side::EastWest),
    (2, Side::EastWest),
];

/// Where one seed sits.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct SeedPlace {
    /// 1 is the strongest.
    pub seed: PairNumber,
    /// 1 or 2.
    pub section: u8,
    /// Its direction session by session: two sessions in one section, one session in two.
    pub sides: Vec<Side>,
}

/// The places of this many seeds in one section (over two sessions) or in two (for one session).
pub fn seeding(pairs: u16, sections: u8) -> Result<Vec<SeedPlace>, Refused> {
    let seeds = (1..=pairs).filter_map(pair).zip(0_usize..);
    match sections {
        1 => Ok(seeds
            .map(|(seed, place)| SeedPlace {
                seed,
                section: 1,
                sides: TWO_SESSIONS[place % TWO_SESSIONS.len()].to_vec(),
            })
            .collect()),
        2 => Ok(seeds
            .map(|(seed, place)| {
                let (section, side) = TWO_SECTIONS[place % TWO_SECTIONS.len()];
                SeedPlace {
                    seed,
                    section,
                    sides: vec![side],
                }
            })
            .collect()),
        _ => Err(Refused::SeedSections { sections }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn golden() -> Value {
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../tests/golden/movement_params.json"
        );
        let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        all["multi_session_seeding"].clone()
    }

    fn letter(side: Side) -> char {
        match side {
            Side::NorthSouth => 'N',
            Side::EastWest => 'W',
        }
    }

    #[test]
    fn seeds_change_their_direction_between_sessions_as_the_manual_says() {
        let golden = golden();
        let pattern = golden["pattern"].as_array().unwrap();
        let places = seeding(26, 1).unwrap();
        assert_eq!(places.len(), 26);
        for (place, expected) in places.iter().zip(pattern.iter().cycle()) {
            let sides: String = place.sides.iter().copied().map(letter).collect();
            assert_eq!(expected, &sides, "seed {}", place.seed);
        }
    }

    #[test]
    fn two_sections_are_seeded_in_eights_and_come_out_equally_strong() {
        let golden = golden();
        let places = seeding(48, 2).unwrap();
        for (eights, place) in places.iter().enumerate() {
            let key = (eights % 8 + 1).to_string();
            let expected = &golden["two_sections_by_seed_mod_8"][&key];
            let sits = format!("S{} {}", place.section, letter(place.sides[0]));
            assert_eq!(expected, &sits, "seed {}", place.seed);
        }
        for section in [1, 2] {
            for side in Side::BOTH {
                let there = |place: &&SeedPlace| place.section == section && place.sides[0] == side;
                assert_eq!(places.iter().filter(there).count(), 12);
            }
        }
    }

    #[test]
    fn more_than_two_sections_are_refused_with_a_sentence() {
        assert!(seeding(12, 3).unwrap_err().to_string().contains("not 3"));
    }
}
