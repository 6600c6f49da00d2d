//! Whether the records of a base are taken: each once and in order, and no history beside another.

use serde::{Deserialize, Serialize};

use crate::chain::{Batch, Head, Link, Record};

/// What becomes of a batch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// These are new; nothing may be, where all were known. The chain stands there now.
    Take {
        /// Every new record and its link.
        new: Vec<(Record, String, Link)>,
        /// Where the chain stands then.
        head: Head,
    },
    /// Not taken.
    Refused(Refused),
}

/// Why the records of a base are not taken. The base reads it, and so do people.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Refused {
    /// Records before these are missing: go on after this one.
    Gap {
        /// What is there.
        have: Head,
    },
    /// Two histories: another record stands where this base has one.
    Fork {
        /// The first place that is known to differ.
        at: u64,
    },
    /// Records are not what they were when the base wrote them.
    Changed {
        /// After this record.
        after: u64,
    },
    /// A record that this centre can't read.
    NotUnderstood {
        /// Which.
        at: u64,
    },
}

/// Decides about a batch. `have` is where the base's chain stands here; `known` gives the link of an
/// earlier record.
pub(crate) fn decide(have: Head, known: impl Fn(u64) -> Option<Link>, batch: &Batch) -> Verdict {
    let mut own = batch.from;
    for text in &batch.texts {
        own = own.with(text);
    }
    if own != batch.to {
        return Verdict::Refused(Refused::Changed {
            after: batch.from.seq,
        });
    }
    if batch.from.seq > have.seq {
        return Verdict::Refused(Refused::Gap { have });
    }
    if known(batch.from.seq) != Some(batch.from.link) {
        return Verdict::Refused(Refused::Fork { at: batch.from.seq });
    }
    let mut head = batch.from;
    let mut new = Vec::new();
    for text in &batch.texts {
        head = head.with(text);
        if head.seq <= have.seq {
            if known(head.seq) != Some(head.link) {
                return Verdict::Refused(Refused::Fork { at: head.seq });
            }
            continue;
        }
        match serde_json::from_str::<Record>(text) {
            Ok(record) if record.n == head.seq && record.said.is_sound() => {
                new.push((record, text.clone(), head.link));
            }
            _ => return Verdict::Refused(Refused::NotUnderstood { at: head.seq }),
        }
    }
    let head = if new.is_empty() { have } else { head };
    Verdict::Take { new, head }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::said::{Phase, Said};

    /// A base that says nothing of weight.
    struct Base {
        heads: Vec<Head>,
        texts: Vec<String>,
    }

    impl Base {
        fn with(records: u64) -> Self {
            let mut base = Self {
                heads: vec![Head {
                    seq: 0,
                    link: Link([7; 32]),
                }],
                texts: Vec::new(),
            };
            for n in 1..=records {
                base.say(n * 1000);
            }
            base
        }

        fn say(&mut self, at: u64) {
            let record = Record {
                n: self.head().seq + 1,
                at,
                said: Said::Phase(Phase::Playing),
            };
            let text = serde_json::to_string(&record).expect("it is written");
            self.heads.push(self.head().with(&text));
            self.texts.push(text);
        }

        fn head(&self) -> Head {
            *self.heads.last().expect("it begins somewhere")
        }

        fn batch(&self, from: usize, to: usize) -> Batch {
            Batch {
                base: 1,
                from: self.heads[from],
                to: self.heads[to],
                texts: self.texts[from..to].to_vec(),
            }
        }

        /// What a centre says that has the first records of this base.
        fn asked(&self, have: usize, batch: &Batch) -> Result<(usize, u64), Refused> {
            let known = |seq: u64| {
                let seq = usize::try_from(seq).expect("small");
                (seq <= have).then(|| self.heads[seq].link)
            };
            match decide(self.heads[have], known, batch) {
                Verdict::Take { new, head } => Ok((new.len(), head.seq)),
                Verdict::Refused(refused) => Err(refused),
            }
        }
    }

    #[test]
    fn records_are_taken_once_however_often_and_in_whatever_pieces_they_come() {
        let base = Base::with(9);
        assert_eq!(base.asked(0, &base.batch(0, 4)), Ok((4, 4)));
        assert_eq!(base.asked(4, &base.batch(0, 4)), Ok((0, 4)));
        assert_eq!(base.asked(4, &base.batch(2, 9)), Ok((5, 9)));
        assert_eq!(base.asked(9, &base.batch(3, 5)), Ok((0, 9)));
        assert_eq!(base.asked(9, &base.batch(9, 9)), Ok((0, 9)));
    }

    #[test]
    fn a_base_that_is_ahead_is_told_where_to_go_on() {
        let base = Base::with(9);
        let have = base.heads[3];
        assert_eq!(base.asked(3, &base.batch(5, 9)), Err(Refused::Gap { have }));
    }

    #[test]
    fn a_backup_that_went_on_elsewhere_is_noticed_at_the_first_record_that_differs() {
        let first = Base::with(9);
        let mut second = Base::with(6);
        second.say(99);
        second.say(100);
        let batch = second.batch(4, 8);
        assert_eq!(first.asked(9, &batch), Err(Refused::Fork { at: 7 }));
        // It does not even begin where ours stood.
        let batch = second.batch(7, 8);
        assert_eq!(first.asked(9, &batch), Err(Refused::Fork { at: 7 }));
    }

    #[test]
    fn a_record_that_is_no_longer_what_it_was_is_not_taken() {
        let base = Base::with(9);
        let mut batch = base.batch(2, 9);
        batch.texts[3] = batch.texts[3].replace("playing", "released");
        assert_eq!(base.asked(2, &batch), Err(Refused::Changed { after: 2 }));
    }

    #[test]
    fn what_a_newer_base_says_is_not_half_understood() {
        let mut base = Base::with(2);
        base.texts
            .push(r#"{"n":3,"at":1,"said":{"sung":"a song"}}"#.to_owned());
        base.heads.push(base.head().with(&base.texts[2]));
        let asked = base.asked(0, &base.batch(0, 3));
        assert_eq!(asked, Err(Refused::NotUnderstood { at: 3 }));
    }
}
