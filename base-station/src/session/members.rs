//! The club's list of players, searched by name.

use protocol::words::PlayerNumber;

use super::Club;

impl Club {
    /// Players whose name has a word that begins like this, or whose number is this. Capitals do
    /// not matter.
    pub fn find_members(&self, text: &str) -> Vec<(PlayerNumber, &str)> {
        let wanted = text.trim().to_lowercase();
        if wanted.is_empty() {
            return Vec::new();
        }
        let number: Option<PlayerNumber> = wanted.parse().ok();
        self.members
            .iter()
            .filter(|(known, name)| {
                let begins = |word: &str| word.to_lowercase().starts_with(&wanted);
                Some(**known) == number || begins(name) || name.split([' ', '-']).any(begins)
            })
            .map(|(known, name)| (*known, name.as_str()))
            .collect()
    }
}
