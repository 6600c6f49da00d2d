//! The evening itself: every base says its boards when they are played, and everything goes wrong
//! that can.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use bench_parts::Organiser;
use centre::{Outcome, Refused, Said};
use ed25519_dalek::SigningKey;

use super::base::{Base, agent, join, send};
use super::centres::{Centres, Faults, Played, add, late_of};
use super::play::{Size, line, names, random, released};

/// Bases that send at the same time.
const WORKERS: usize = 12;

/// Bases that are copied, and bases whose laptop is lost.
const COPIES: usize = 3;

/// How long everything may take to be heard once nothing goes wrong any more.
const PATIENCE: Duration = Duration::from_mins(3);

/// Every base, and those that were replaced.
pub(crate) struct Evening {
    size: Size,
    seed: u64,
    bases: Vec<Base>,
    retired: Vec<Base>,
}

/// What the workers share.
struct Shared<'a> {
    size: Size,
    seed: u64,
    begun: Instant,
    length: Duration,
    events: Vec<(Duration, usize, u8)>,
    next: AtomicUsize,
    bases: &'a [Mutex<Base>],
    /// When a base is cut off, from and to.
    cut: Vec<Option<(Duration, Duration)>>,
    addresses: [String; 2],
    faults: Mutex<Faults>,
    wrong: bool,
    over: AtomicBool,
}

impl Evening {
    /// All clubs join, at either centre.
    pub(crate) fn join(centres: &Centres, codes: &[String], size: Size, seed: u64) -> Self {
        assert_eq!(codes.len(), size.clubs, "a code for every club");
        let (agent, addresses) = (agent(), centres.addresses());
        let joined = codes.iter().enumerate().map(|(club, code)| {
            let key = SigningKey::from_bytes(&key_of(club, seed));
            let mut base = join(&agent, &addresses[club % 2], code, key).expect("it joins");
            for table in 1..=size.tables {
                for said in names(table) {
                    base.say(said);
                }
            }
            base
        });
        Self {
            size,
            seed,
            bases: joined.collect(),
            retired: Vec::new(),
        }
    }

    /// All bases, replaced ones too.
    pub(crate) fn bases(&self) -> impl Iterator<Item = &Base> {
        self.bases.iter().chain(&self.retired)
    }

    /// Whether it was not replaced.
    pub(crate) fn counts(&self, base: &Base) -> bool {
        let mut retired = self.retired.iter();
        retired.all(|it| it.joined.base != base.joined.base)
    }

    /// Plays for so many seconds, and until everything is heard.
    pub(crate) fn play(
        &mut self,
        centres: &mut Centres,
        organiser: &Organiser,
        event: i32,
        seconds: u64,
        wrong: bool,
    ) -> Played {
        let bases = std::mem::take(&mut self.bases);
        let bases: Vec<Mutex<Base>> = bases.into_iter().map(Mutex::new).collect();
        let length = Duration::from_secs(seconds);
        let shared = Shared::new(
            self.size,
            self.seed,
            length,
            &bases,
            centres.addresses(),
            wrong,
        );
        let mut played = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..WORKERS)
                .map(|worker| {
                    scope.spawn({
                        let shared = &shared;
                        move || shared.work(worker)
                    })
                })
                .collect();
            if wrong {
                scope.spawn(|| shared.forge());
            }
            let mut director = Director::new(&shared, centres, organiser, event);
            director.direct(&mut self.retired);
            let mut played = director.played;
            for worker in workers {
                worker.join().expect("a worker works");
            }
            shared.over.store(true, Ordering::Relaxed);
            played.seconds = shared.begun.elapsed().as_secs_f64();
            played
        });
        played.after = shared.flush();
        played.results = self.size.results();
        played.faults = *shared.faults.lock().expect("counted");
        std::thread::sleep(Duration::from_secs(2));
        let late = late_of(&shared.addresses);
        add(&mut played.late, &late);
        played.memory_mb = played.memory_mb.max(centres.memory_mb());
        drop(shared);
        let bases = bases
            .into_iter()
            .map(|base| base.into_inner().expect("a base"));
        self.bases = bases.collect();
        played
    }
}

fn key_of(club: usize, seed: u64) -> [u8; 32] {
    let mut key = [7; 32];
    key[..8].copy_from_slice(&club.to_le_bytes());
    key[8..16].copy_from_slice(&seed.to_le_bytes());
    key
}

impl<'a> Shared<'a> {
    fn new(
        size: Size,
        seed: u64,
        length: Duration,
        bases: &'a [Mutex<Base>],
        addresses: [String; 2],
        wrong: bool,
    ) -> Self {
        let mut random = random(seed);
        let mut events = Vec::new();
        for club in 0..size.clubs {
            for board in 0..size.boards {
                let at = (f64::from(board) + random.f64()) / f64::from(size.boards);
                events.push((length.mul_f64(at), club, board + 1));
            }
        }
        events.sort_unstable();
        // One base in twenty is cut off for a sixth of the evening; all come back at once.
        let cut = (0..size.clubs).map(|club| {
            let (from, to) = (length.mul_f64(0.5), length.mul_f64(0.67));
            (wrong && club % 20 == 7).then_some((from, to))
        });
        Self {
            size,
            seed,
            begun: Instant::now(),
            length,
            events,
            next: AtomicUsize::new(0),
            bases,
            cut: cut.collect(),
            addresses,
            faults: Mutex::default(),
            wrong,
            over: AtomicBool::new(false),
        }
    }

    fn count(&self, what: impl FnOnce(&mut Faults)) {
        what(&mut self.faults.lock().expect("counted"));
    }

    fn wait_until(&self, at: Duration) {
        std::thread::sleep(at.saturating_sub(self.begun.elapsed()));
    }

    fn work(&self, worker: usize) {
        let agent = agent();
        loop {
            let next = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(&(at, club, board)) = self.events.get(next) else {
                return;
            };
            self.wait_until(at);
            let event = u64::try_from(next).expect("small");
            let mut random = random(self.seed.wrapping_mul(1_000_003).wrapping_add(event));
            let mut base = self.bases[club].lock().expect("a base");
            for table in 1..=self.size.tables {
                base.say(Said::Line(line(table, board, &mut random)));
            }
            if random.u8(0..50) == 0 && board > 1 {
                let (table, other) = (random.u16(1..=self.size.tables), random.u8(1..board));
                let corrected = line(table, other, &mut random);
                if random.bool() {
                    base.say(Said::Gone(corrected.place));
                }
                base.say(Said::Line(corrected));
                self.count(|faults| faults.corrected += 1);
            }
            let away = self.cut[club].is_some_and(|(from, to)| (from..to).contains(&at));
            if away {
                self.count(|faults| faults.cut_off += 1);
                continue;
            }
            self.push(&agent, &mut base, worker + next, &mut random);
        }
    }

    fn push(&self, agent: &ureq::Agent, base: &mut Base, first: usize, random: &mut fastrand::Rng) {
        let before = base.sent;
        let centre = &self.addresses[first % 2];
        if self.wrong && random.u8(0..30) == 0 && base.texts.len() > base.sent + 2 {
            // The second half overtakes the first: there is a gap, or nobody answers.
            let middle = base.sent.midpoint(base.texts.len());
            let batch = base.batch(middle, base.texts.len());
            match send(agent, centre, &base.key, &batch) {
                Some(Outcome::Refused(Refused::Gap { .. })) => {
                    self.count(|faults| faults.reordered += 1);
                }
                // An answer that was lost: the first half was there already.
                Some(Outcome::Taken(_) | Outcome::NotNow) | None => {}
                other => panic!("what comes too soon is a gap: {other:?}"),
            }
        }
        for turn in 0..2 {
            match base.push(agent, &self.addresses[(first + turn) % 2]) {
                Some(Outcome::Taken(_)) => break,
                Some(Outcome::NotNow) | None => self.count(|faults| faults.silent += 1),
                other => panic!("a base that does nothing wrong is heard: {other:?}"),
            }
        }
        if self.wrong && random.u8(0..20) == 0 && base.sent > before {
            // The same once more.
            let batch = base.batch(before, base.sent);
            if let Some(Outcome::Taken(head)) = send(agent, centre, &base.key, &batch) {
                let sent = u64::try_from(base.sent).expect("small");
                assert_eq!(head.seq, sent, "nothing is taken twice");
                self.count(|faults| faults.repeated += 1);
            }
        }
        if self.wrong && random.u8(0..30) == 0 {
            // The answer was lost: it will all be sent again.
            base.sent = before;
            self.count(|faults| faults.forgotten += 1);
        }
    }

    /// Somebody who has no base's key speaks for bases.
    fn forge(&self) {
        let (agent, mut random) = (agent(), random(self.seed ^ 0xF0));
        let stranger = SigningKey::from_bytes(&[13; 32]);
        while !self.over.load(Ordering::Relaxed) {
            let which = random.usize(0..self.bases.len());
            let mut forged = self.bases[which].lock().expect("a base").clone();
            forged.say(Said::Line(line(1, 1, &mut random)));
            let batch = forged.batch(forged.sent, forged.texts.len());
            match send(
                &agent,
                &self.addresses[random.usize(0..2)],
                &stranger,
                &batch,
            ) {
                Some(Outcome::NotSigned) => self.count(|faults| faults.forged += 1),
                Some(Outcome::NotNow) | None => {}
                other => panic!("a forged base is turned away: {other:?}"),
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    }

    /// Sends what still waits, and that every club stands by its results; says how long that took.
    fn flush(&self) -> f64 {
        let begun = Instant::now();
        let agent = agent();
        for (club, base) in self.bases.iter().enumerate() {
            let mut base = base.lock().expect("a base");
            base.say(released());
            let mut turn = club;
            while base.sent < base.texts.len() {
                let _ = base.push(&agent, &self.addresses[turn % 2]);
                turn += 1;
                assert!(begun.elapsed() < PATIENCE, "everything is heard");
            }
        }
        begun.elapsed().as_secs_f64()
    }
}

/// What happens to the machines.
struct Director<'a> {
    shared: &'a Shared<'a>,
    centres: &'a mut Centres,
    organiser: &'a Organiser,
    event: i32,
    played: Played,
    agent: ureq::Agent,
    copies: Vec<Base>,
}

impl<'a> Director<'a> {
    fn new(
        shared: &'a Shared<'a>,
        centres: &'a mut Centres,
        organiser: &'a Organiser,
        event: i32,
    ) -> Self {
        Self {
            shared,
            centres,
            organiser,
            event,
            played: Played::default(),
            agent: agent(),
            copies: Vec::new(),
        }
    }

    fn direct(&mut self, retired: &mut Vec<Base>) {
        let shared = self.shared;
        let share = |share: f64| shared.length.mul_f64(share);
        if shared.wrong {
            self.look_until(share(0.2));
            let copied = shared.bases.iter().take(COPIES);
            self.copies = copied
                .map(|it| it.lock().expect("a base").clone())
                .collect();
            self.look_until(share(0.3));
            self.lose_centre(0);
            self.look_until(share(0.42));
            self.go_on_with_copies();
            self.look_until(share(0.48));
            let from = shared.bases.len().saturating_sub(COPIES);
            for club in from..shared.bases.len() {
                retired.push(self.lose_laptop(club));
            }
            self.look_until(share(0.6));
            self.lose_centre(1);
            self.look_until(share(0.75));
            println!(
                "{:>4.0} s: PostgreSQL is killed",
                shared.begun.elapsed().as_secs_f64()
            );
            self.centres.postgres.kill();
            std::thread::sleep(Duration::from_secs(2));
            self.centres.postgres.start_again();
        }
        self.look_until(shared.length);
    }

    /// A reader at every centre, and a look at the machines.
    fn look_until(&mut self, at: Duration) {
        while self.shared.begun.elapsed() < at {
            for address in &self.shared.addresses {
                let page = format!("{address}event/{}", self.event);
                if let Ok(mut page) = self.agent.get(page).call() {
                    let _ = page.body_mut().read_to_vec();
                }
            }
            let sql =
                "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'byestand centre'";
            let connections = self.centres.postgres.ask(sql).parse().unwrap_or_default();
            self.played.connections = self.played.connections.max(connections);
            self.played.memory_mb = self.played.memory_mb.max(self.centres.memory_mb());
            let left = at.saturating_sub(self.shared.begun.elapsed());
            std::thread::sleep(left.min(Duration::from_secs(1)));
        }
    }

    fn lose_centre(&mut self, which: usize) {
        println!(
            "{:>4.0} s: centre {which} is killed",
            self.shared.begun.elapsed().as_secs_f64()
        );
        let late = late_of(&self.shared.addresses[which..=which]);
        add(&mut self.played.late, &late);
        self.centres.kill(which);
        std::thread::sleep(Duration::from_secs(3));
        self.centres.start_one(which);
    }

    /// Copies of data folders go on elsewhere: nothing of them counts.
    fn go_on_with_copies(&mut self) {
        for mut copy in std::mem::take(&mut self.copies) {
            copy.say(Said::Line(line(1, 1, &mut random(9))));
            match copy.push(&self.agent, &self.shared.addresses[0]) {
                Some(Outcome::Refused(Refused::Fork { .. })) => {
                    self.shared.count(|faults| faults.forks += 1);
                }
                other => panic!("two histories are noticed: {other:?}"),
            }
        }
    }

    /// A laptop is lost. Another one has an old backup of its journal, and joins with a new code; what
    /// came after the backup its pads say again. The first one comes back, and changes nothing.
    fn lose_laptop(&self, club: usize) -> Base {
        let mut base = self.shared.bases[club].lock().expect("a base");
        let address = &self.shared.addresses[1];
        // What the centre has of it is known, so that it can be looked for in the end.
        while !matches!(base.push(&self.agent, address), Some(Outcome::Taken(_))) {}
        let code = self.organiser.new_code(self.event, base.joined.club);
        let mut key = key_of(club, self.shared.seed);
        key[31] = 1;
        let key = SigningKey::from_bytes(&key);
        let mut fresh = join(&self.agent, address, &code, key).expect("it joins");
        for text in &base.texts {
            let record: centre::Record = serde_json::from_str(text).expect("a record");
            fresh.say(record.said);
        }
        let mut lost = std::mem::replace(&mut *base, fresh);
        let taken = lost.clone();
        lost.say(Said::Line(line(1, 1, &mut random(11))));
        match lost.push(&self.agent, address) {
            Some(Outcome::Retired) => self.shared.count(|faults| faults.replaced += 1),
            other => panic!("a replaced base changes nothing: {other:?}"),
        }
        taken
    }
}
