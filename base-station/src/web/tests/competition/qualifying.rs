//! The qualifying event of 2012: a double knock-out whose best choose their opponents, with a Swiss for
//! those who have lost twice, for 16, 24 and 32 teams. Checked by what was typed: who had won and lost
//! how often, that nobody met a former opponent in the knock-outs, and the printed scale.

mod sizes;

use std::collections::BTreeSet;

use super::stages::{final_places, team};
use super::*;
use crate::web::tests::contest::naive::golden;

/// Boards of a match of the knock-outs and of a pool, and of the Swiss.
const SHORT: u8 = 2;
const POOL: u8 = 4;
const SWISS: u8 = 8;

fn printed_vp(imps: i64) -> i64 {
    let rows = golden("vp_2006_25scale_002.tsv");
    let own = rows.iter().filter(|row| row[0] == SWISS.to_string());
    let mut found = 0;
    for row in own {
        let low: i64 = row[1].parse().expect("IMPs");
        if imps.abs() >= low {
            let at = if imps < 0 { 4 } else { 3 };
            found = row[at].parse::<i64>().expect("victory points") * 100;
        }
    }
    found
}

/// A stage of the event as its plan has it.
fn stage(name: &str, sources: &[Value], choice: Option<[u16; 2]>) -> Value {
    let mut own = json!({"name": name, "knock_out": "one-round"});
    if let Some((first, also)) = sources.split_first() {
        own["from"] = first.clone();
        own["also"] = json!(also);
    }
    if let Some([choosers, from]) = choice {
        own["choice"] = json!({"choosers": choosers, "from": from});
    }
    own
}

fn winners(stage: u8, take: u16) -> Value {
    json!({"stage": stage, "take": take, "ranked": true})
}

fn losers(stage: u8) -> Value {
    json!({"stage": stage, "losers_of": 1, "ranked": true})
}

const NOBODY: Option<[u16; 2]> = Some([0, 1]);
const FIRST_OF_8: Option<[u16; 2]> = Some([3, 4]);
const TWO_OF_8: Option<[u16; 2]> = Some([2, 3]);
const ONE_OF_4: Option<[u16; 2]> = Some([1, 3]);

/// What a match of the knock-outs brought: winner, loser, by how much.
type Ended = (String, String, i64);

struct Event {
    site: Site,
    number: u64,
    dice: fastrand::Rng,
    met: BTreeSet<(String, String)>,
    /// What every stage of the knock-outs brought, by its number.
    ended: BTreeMap<u8, Vec<Ended>>,
    swiss: BTreeMap<String, i64>,
    rounds: i64,
    /// The session and how many rounds of the Swiss it has drawn.
    tonight: (u64, u8),
    sections: u8,
}

impl Event {
    async fn week(&mut self, date: &str, rounds: u8, all: u8) {
        let before = self.tonight.0;
        if before > 0 {
            self.site.ends().await;
        }
        let session = self.site.next_session(date).await;
        if self.rounds > 0 {
            let further = json!({"section": "S", "from_session": before, "from_section": "S",
                "rounds": rounds, "rounds_in_all": all});
            self.site.does("/api/contest/continue", further).await;
        }
        self.tonight = (session, 0);
        self.sections = 0;
    }

    fn section(&mut self) -> String {
        let letter = char::from(b'A' + self.sections);
        self.sections += 1;
        letter.to_string()
    }

    fn meet(&mut self, one: &str, other: &str) {
        let pair = (one.min(other).to_owned(), one.max(other).to_owned());
        self.met.insert(pair);
    }

    /// Whether these could all meet somebody new.
    fn can_all_meet_somebody_new(&self, names: &[String]) -> bool {
        let Some((one, others)) = names.split_first() else {
            return true;
        };
        others.iter().any(|other| {
            let pair = (one.min(other).clone(), one.max(other).clone());
            let left = others.iter().filter(|it| *it != other).cloned();
            let left: Vec<String> = left.collect();
            !self.met.contains(&pair) && self.can_all_meet_somebody_new(&left)
        })
    }

    fn stage_path(&self, stage: u8) -> String {
        format!("/api/championships/{}/stages/{stage}", self.number)
    }

    /// Who comes into a stage by the rule: winners by the size of their win, losers by that of their
    /// loss.
    fn ranked(&self, stage: u8, winners: bool) -> Vec<String> {
        let mut all: Vec<(i64, String)> = (self.ended[&stage].iter())
            .map(|(winner, loser, imps)| {
                if winners {
                    (-imps, winner.clone())
                } else {
                    (*imps, loser.clone())
                }
            })
            .collect();
        all.sort();
        all.into_iter().map(|(_, name)| name).collect()
    }

    /// Lets those who may choose do so, draws the stage and plays it.
    async fn play(&mut self, stage: u8, expected: &[Vec<String>]) {
        let path = self.stage_path(stage);
        let now = self.site.championship(self.number).await;
        let coming = now["stages"][usize::from(stage) - 1]["coming"].clone();
        let coming: Vec<(u64, String)> = (coming.as_array().expect("who comes").iter())
            .map(|it| {
                let name = it["name"].as_str().expect("a name").to_owned();
                (it["number"].as_u64().expect("a number"), name)
            })
            .collect();
        let names: Vec<&String> = coming.iter().map(|it| &it.1).collect();
        assert_eq!(
            names,
            expected.iter().flatten().collect::<Vec<_>>(),
            "stage {stage}: {now}"
        );
        let name = |number: &Value| {
            let mut all = coming.iter();
            let own = all.find(|it| Some(it.0) == number.as_u64());
            own.expect("somebody who comes").1.clone()
        };
        let expected_names: &[String] = &expected.concat();
        let mut picks: Vec<Value> = Vec::new();
        loop {
            let choosing = format!("{path}/choosing");
            let next = self.site.does(&choosing, json!({"picks": picks})).await;
            if next["by"].is_null() {
                break;
            }
            let draw = format!("{path}/draw");
            let early = self
                .site
                .refuses("POST", &draw, json!({"picks": picks}))
                .await;
            assert!(early.contains("chooses now"), "{early}");
            let from = next["from"].as_array().expect("whom");
            let by = name(&next["by"]);
            for other in from {
                let pair = (by.clone().min(name(other)), by.clone().max(name(other)));
                assert!(
                    !self.can_all_meet_somebody_new(expected_names) || !self.met.contains(&pair),
                    "{by} may choose {}",
                    name(other)
                );
            }
            picks.push(from[self.dice.usize(..from.len())].clone());
        }
        self.site
            .does(&format!("{path}/draw"), json!({"picks": picks}))
            .await;
        self.plays_out(stage).await;
    }

    /// Plays a stage that is drawn; every match by another margin.
    async fn plays_out(&mut self, stage: u8) {
        let section = self.section();
        let now = self.site.championship(self.number).await;
        let drawn = now["stages"][usize::from(stage) - 1]["drawn"].clone();
        let cup = format!("/api/knockouts/{drawn}");
        let play = json!({"section": section, "stanzas": 1, "boards": SHORT, "regulation": "gnot"});
        self.site.does(&format!("{cup}/play"), play).await;
        self.site.opens().await;
        let view = self.site.reads(&cup).await;
        let entrants = view["entrants"].as_array().expect("entrants").clone();
        let name = |seed: u64| {
            let at = usize::try_from(seed).expect("a few") - 1;
            entrants[at].as_str().expect("a name").to_owned()
        };
        let matches = entrants.len() / 2;
        // No two of one list won by as much: at most sixteen matches of up to twelve IMPs.
        let mut margins: Vec<i64> = (1..=12).cycle().take(matches).collect();
        self.dice.shuffle(&mut margins);
        let dice = &mut self.dice;
        let margin = |_, _| {
            let own = margins.pop().expect("a match");
            if dice.bool() { own } else { -own }
        };
        let played = self.site.plays_round(&section, (1, SHORT), margin).await;
        let all: Vec<String> = (1..=entrants.len()).map(|at| name(at as u64)).collect();
        let somebody_new = self.can_all_meet_somebody_new(&all);
        for (home, away, imps) in played {
            let (home, away) = (name(home), name(away));
            let pair = (
                home.clone().min(away.clone()),
                home.clone().max(away.clone()),
            );
            let again = self.met.contains(&pair);
            assert!(!again || !somebody_new, "{home} meets {away} again");
            self.meet(&home, &away);
            let ended = if imps > 0 {
                (home, away, imps)
            } else {
                (away, home, -imps)
            };
            self.ended.entry(stage).or_default().push(ended);
        }
    }

    /// Takes the losers of a stage into the Swiss, with four fifths of what could be had or the
    /// leader's score.
    async fn drops_in_from(&mut self, stage: u8) {
        let now = self.site.championship(self.number).await;
        let drawn = &now["stages"][usize::from(stage) - 1]["drawn"];
        let body = json!({"section": "S", "round": 1, "entry": "gnot2012", "why": "lost"});
        let path = format!("/api/knockouts/{drawn}/drop-in");
        let dropped = self.site.does(&path, body).await;
        let leader = self.swiss.values().max().copied().expect("a leader");
        let available = 2_500 * self.rounds;
        let entry = (available * 4 / 5).max(leader).min(leader + 500);
        let mut got: Vec<(String, i64)> = (dropped["contestants"].as_array().expect("who").iter())
            .map(|it| {
                (
                    it["name"].as_str().expect("a name").to_owned(),
                    hundredths(&it["vp"]),
                )
            })
            .collect();
        got.sort();
        let mut losers: Vec<(String, i64)> = (self.ended[&stage].iter())
            .map(|it| (it.1.clone(), entry))
            .collect();
        losers.sort();
        assert_eq!(got, losers, "stage {stage}");
        self.swiss.extend(losers);
    }

    /// A round of the Swiss; who is over plays in a triangle with two others, over two rounds.
    async fn swiss_round(&mut self, expected: usize, drop_ins: bool) {
        assert_eq!(self.swiss.len(), expected, "teams of the Swiss");
        self.tonight.1 += 1;
        let draw = json!({"section": "S", "seed": 9, "drop_ins": drop_ins, "odd": "bye"});
        self.site.does("/api/contest/draw", draw).await;
        self.site.opens().await;
        let all = self.site.reads("/api/contest").await;
        let mut contests = all["contests"].as_array().expect("contests").iter();
        let own = contests
            .find(|it| it["section"] == "S")
            .expect("the Swiss")
            .clone();
        let name = |number: u64| {
            let mut all = own["entries"].as_array().expect("entries").iter();
            let found = all.find(|it| it["contestant"] == number);
            found.expect("an entry")["name"]
                .as_str()
                .expect("a name")
                .to_owned()
        };
        let dice = &mut self.dice;
        let margin = |_, _| dice.i64(-24..=24);
        let round = (self.tonight.1, SWISS);
        let played = self.site.plays_round("S", round, margin).await;
        let mut resting: BTreeSet<String> = self.swiss.keys().cloned().collect();
        for (home, away, imps) in played {
            for (who, imps) in [(home, imps), (away, -imps)] {
                *self.swiss.get_mut(&name(who)).expect("a team") += printed_vp(imps);
                resting.remove(&name(who));
            }
        }
        assert_eq!(resting.len(), expected % 2);
        for who in resting {
            *self.swiss.get_mut(&who).expect("a team") += 1_800;
        }
        self.rounds += 1;
    }

    /// Sets the Swiss up with the first losers.
    async fn begins_swiss(&mut self, stage: u8, of: u8, rounds: u8) {
        let body = json!({"section": "S", "name": "Swiss", "format": "swiss", "rounds": rounds,
            "nights": 2, "boards": SWISS, "comparison": "teams-imps", "regulation": "gnot",
            "odd": "bye", "stage": {"championship": self.number, "stage": stage}});
        self.site.does("/api/contest", body).await;
        self.swiss = (self.ended[&of].iter())
            .map(|it| (it.1.clone(), 0))
            .collect();
    }
}

/// Wins and net IMPs of the three of a pool, the best first.
fn pool(played: &[(u64, u64, i64)]) -> Vec<(i64, i64, u64)> {
    let mut sums: BTreeMap<u64, (i64, i64)> = BTreeMap::new();
    for (home, away, imps) in played {
        for (who, imps) in [(*home, *imps), (*away, -imps)] {
            let own = sums.entry(who).or_default();
            own.0 += i64::from(imps > 0);
            own.1 += imps;
        }
    }
    let mut all: Vec<(i64, i64, u64)> = (sums.iter())
        .map(|(who, (wins, net))| (-wins, -net, *who))
        .collect();
    all.sort_unstable();
    all
}

async fn begun(teams: usize, stages: Vec<Value>) -> Event {
    let site = Site::open().await;
    let plan = json!({"name": format!("Qualifying of {teams}"), "stages": stages});
    let number = site.begins_stages(plan).await;
    Event {
        site,
        number,
        dice: fastrand::Rng::with_seed(2012),
        met: BTreeSet::new(),
        ended: BTreeMap::new(),
        swiss: BTreeMap::new(),
        rounds: 0,
        tonight: (0, 0),
        sections: 0,
    }
}

/// Pools of three, each team against the others, ranked within and over the pools.
async fn pools(event: &mut Event) -> [Vec<String>; 3] {
    let mut lists: [Vec<(i64, i64, u64)>; 3] = Default::default();
    for at in 0..8_u64 {
        let section = event.section();
        // One of each third of the seeding.
        let teams = [at + 1, at + 9, at + 17];
        let entries: Vec<Value> = teams
            .iter()
            .map(|number| json!({"number": number, "name": team(*number)}))
            .collect();
        let body = json!({"section": section, "name": "Pool", "format": "round-robin",
            "boards": POOL, "comparison": "teams-imps", "ties": "gnot2012-pool",
            "contestants": entries, "stage": {"championship": event.number, "stage": 1}});
        event.site.does("/api/contest", body).await;
        let mut played = Vec::new();
        for round in 1..=3 {
            let draw = json!({"section": section});
            event.site.does("/api/contest/draw", draw).await;
            event.site.opens().await;
            // Every pool has figures of its own, so that no two teams are level.
            let base = i64::try_from(at).expect("a few") + 1;
            let here = base * i64::from(round);
            let margin = |home, away| if home < away { here } else { -here };
            played.extend(
                event
                    .site
                    .plays_round(&section, (round, POOL), margin)
                    .await,
            );
        }
        for (home, away, _) in &played {
            event.meet(&team(*home), &team(*away));
        }
        for (list, own) in lists.iter_mut().zip(pool(&played)) {
            list.push(own);
        }
    }
    lists.map(|mut list| {
        list.sort_unstable();
        let level = list
            .windows(2)
            .any(|two| (two[0].0, two[0].1) == (two[1].0, two[1].1));
        assert!(!level, "choose other figures: {list:?}");
        list.into_iter().map(|it| team(it.2)).collect()
    })
}

/// From the fourth week's matches to the winner; the stages have the numbers of their table.
struct Numbers {
    dko: [u8; 3],
    b2: Option<u8>,
    first_losers: u8,
    a3: u8,
    b3: u8,
    a4: u8,
    b4: u8,
    five: u8,
    swiss: u8,
}

/// Weeks three to five, which are the same for all sizes.
async fn from_week_three(event: &mut Event, size: usize, of: &Numbers, all: u8) {
    let [two, three, four] = of.dko;
    event.week("2012-03-05", 2, all).await;
    // Losers of week two drop in, or begin the Swiss.
    match of.b2 {
        Some(b2) => event.drops_in_from(b2).await,
        None => event.begins_swiss(of.swiss, of.first_losers, 2).await,
    }
    event.swiss_round(size - 12, of.b2.is_some()).await;
    let of_two = event.ranked(two, true);
    event.play(three, &[of_two]).await;
    let from_week_two = of.b2.unwrap_or(of.first_losers);
    let lists = [event.ranked(two, false), event.ranked(from_week_two, true)];
    event.play(of.a3, &lists).await;
    event.drops_in_from(of.a3).await;
    event.swiss_round(size - 8, true).await;
    let winners = event.ranked(of.a3, true);
    event.play(of.b3, &[winners]).await;

    event.week("2012-03-12", 2, all).await;
    event.drops_in_from(of.b3).await;
    event.swiss_round(size - 6, true).await;
    let winners = event.ranked(three, true);
    event.play(four, &[winners]).await;
    let lists = [event.ranked(three, false), event.ranked(of.b3, true)];
    event.play(of.a4, &lists).await;
    event.drops_in_from(of.a4).await;
    event.swiss_round(size - 4, true).await;
    let winners = event.ranked(of.a4, true);
    event.play(of.b4, &[winners]).await;

    event.week("2012-03-19", 2, all).await;
    event.drops_in_from(of.b4).await;
    event.swiss_round(size - 3, true).await;
    event.swiss_round(size - 3, false).await;
    let lists = [event.ranked(four, false), event.ranked(of.b4, true)];
    event.play(of.five, &lists).await;
    event.site.ends().await;

    let end = event.site.championship(event.number).await;
    let told = final_places(&end);
    assert_eq!(told.len(), size, "{end}");
    let names: Vec<&String> = told.iter().map(|it| &it.1).collect();
    let last = &event.ended[&of.five][0];
    let first = [&event.ended[&four][0].0, &last.0, &last.1];
    assert_eq!(names[..3], first, "{end}");
    let rest: Vec<i64> = names[3..].iter().map(|name| event.swiss[*name]).collect();
    assert!(rest.windows(2).all(|two| two[0] >= two[1]), "{rest:?}");
    // Nobody lost twice in the knock-outs and went on.
    let mut defeats: BTreeMap<&String, usize> = BTreeMap::new();
    for (_, loser, _) in event.ended.values().flatten() {
        *defeats.entry(loser).or_default() += 1;
    }
    assert!(defeats.values().all(|times| *times <= 2), "{defeats:?}");
    assert!(!defeats.contains_key(first[0]), "the winner is unbeaten");
}
