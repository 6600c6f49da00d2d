//! Who is connected, and whose place a newcomer takes.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::oneshot;

/// How many connections there may be, and how slow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounds {
    /// From the director's own laptop. A browser opens six, a hall of 256 phones that is tried out
    /// there a line each, and nobody else can take these.
    pub laptop: usize,
    /// From everywhere else.
    pub others: usize,
    /// From one address elsewhere: a hall of 256 phones behind one router gets by.
    pub address: usize,
    /// How long the head of a request may take, and how long a connection may wait for its next
    /// one. A page asks all it needs within a second.
    pub head_time: Duration,
    /// How long nothing of an answer may be taken before whoever asked for it is cut off.
    pub stall_time: Duration,
    /// For how long an answer keeps its place whoever comes. A stream, or an answer that is read
    /// at a trickle, makes room after that if its share is full: a page opens its stream again.
    pub answer_time: Duration,
}

/// Files that the program itself needs besides connections: journal, copies, receivers.
const FILES_OF_OUR_OWN: u64 = 64;

impl Default for Bounds {
    fn default() -> Self {
        Self {
            laptop: 320,
            others: 1_024,
            address: 320,
            head_time: Duration::from_secs(10),
            stall_time: Duration::from_secs(20),
            answer_time: Duration::from_mins(1),
        }
    }
}

impl Bounds {
    /// The usual bounds, or what the system's limit of open files leaves room for, the laptop
    /// first.
    pub fn within(files: Option<u64>) -> Self {
        let usual = Self::default();
        let Some(files) = files else {
            return usual;
        };
        let free = usize::try_from(files.saturating_sub(FILES_OF_OUR_OWN)).unwrap_or(usize::MAX);
        let laptop = usual.laptop.min(free / 2).max(16);
        let others = usual.others.min(free.saturating_sub(laptop)).max(1);
        Self {
            laptop,
            others,
            address: usual.address.min(others),
            ..usual
        }
    }
}

/// Everybody who is connected.
#[derive(Debug)]
pub(super) struct Guests {
    bounds: Bounds,
    open: Mutex<Open>,
}

#[derive(Debug, Default)]
struct Open {
    next: u64,
    places: HashMap<u64, Guest>,
}

#[derive(Debug)]
struct Guest {
    from: IpAddr,
    /// Requests that have arrived and are being answered.
    busy: u32,
    /// Since when it has none, or the latest of them has been answered.
    since: Instant,
    /// Whether it ever asked for something.
    has_asked: bool,
    /// Dropped to end it.
    _cut: oneshot::Sender<()>,
}

/// A connection's place, given back when it is dropped.
#[derive(Debug)]
pub(super) struct Place {
    number: u64,
    guests: Arc<Guests>,
}

/// An IPv4 address is the same one where the system writes it as IPv6.
const fn plain(from: IpAddr) -> IpAddr {
    from.to_canonical()
}

impl Guests {
    pub(super) fn new(bounds: Bounds) -> Self {
        Self {
            bounds,
            open: Mutex::default(),
        }
    }

    /// A place for a newcomer, and what tells that it is over; none where everybody who could make
    /// room is being served.
    pub(super) fn admit(self: &Arc<Self>, from: IpAddr) -> Option<(Place, oneshot::Receiver<()>)> {
        let from = plain(from);
        let laptop = from.is_loopback();
        let patience = self.bounds.answer_time;
        let mut open = self.lock();
        if !laptop {
            let same = |guest: &Guest| guest.from == from;
            if !open.has_room(self.bounds.address, patience, same) {
                return None;
            }
        }
        let share = if laptop {
            self.bounds.laptop
        } else {
            self.bounds.others
        };
        let same_share = |guest: &Guest| guest.from.is_loopback() == laptop;
        if !open.has_room(share, patience, same_share) {
            return None;
        }
        let number = open.next;
        open.next += 1;
        let (cut, is_cut) = oneshot::channel();
        open.places.insert(
            number,
            Guest {
                from,
                busy: 0,
                since: Instant::now(),
                has_asked: false,
                _cut: cut,
            },
        );
        let guests = Arc::clone(self);
        Some((Place { number, guests }, is_cut))
    }

    /// Ends the connection that has been idle for longest, anybody's.
    pub(super) fn cut_idle(&self) {
        self.lock().cut(self.bounds.answer_time, |_| true);
    }

    fn lock(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Open {
    /// Whether one more of these fits, somebody idle among them cut off for it if need be.
    fn has_room(&mut self, max: usize, patience: Duration, of: impl Fn(&Guest) -> bool) -> bool {
        let count = self.places.values().filter(|guest| of(guest)).count();
        count < max || self.cut(patience, of)
    }

    /// Ends the one that is missed least: one that never asked for anything before one that did,
    /// those before one whose answer takes long, and of these the longest.
    fn cut(&mut self, patience: Duration, of: impl Fn(&Guest) -> bool) -> bool {
        let spare = self.places.iter().filter(|(_, guest)| {
            let makes_room = guest.busy == 0 || guest.since.elapsed() >= patience;
            makes_room && of(guest)
        });
        let missed = |guest: &Guest| (guest.busy > 0, guest.has_asked, guest.since);
        let longest = spare.min_by_key(|(_, guest)| missed(guest));
        let number = longest.map(|(number, _)| *number);
        number.is_some_and(|number| self.places.remove(&number).is_some())
    }
}

impl Place {
    /// A request has come.
    pub(super) fn begins(&self) {
        if let Some(guest) = self.guests.lock().places.get_mut(&self.number) {
            guest.busy += 1;
            guest.has_asked = true;
            guest.since = Instant::now();
        }
    }

    /// A request is answered.
    pub(super) fn rests(&self) {
        if let Some(guest) = self.guests.lock().places.get_mut(&self.number) {
            guest.busy = guest.busy.saturating_sub(1);
            guest.since = Instant::now();
        }
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.guests.lock().places.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot::error::TryRecvError::Closed;

    use super::*;

    const LAPTOP: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn phone(number: u8) -> IpAddr {
        IpAddr::from([10, 0, 0, number])
    }

    fn guests() -> Arc<Guests> {
        Arc::new(Guests::new(Bounds {
            laptop: 2,
            others: 6,
            address: 3,
            ..Bounds::default()
        }))
    }

    #[test]
    fn a_stream_makes_room_after_a_while_and_an_idle_connection_before_it() {
        let guests = Arc::new(Guests::new(Bounds {
            others: 2,
            address: 2,
            answer_time: Duration::ZERO,
            ..Bounds::default()
        }));
        let (stream, mut is_cut) = guests.admit(phone(1)).expect("there is room");
        stream.begins();
        let (_idle, mut idle_is_cut) = guests.admit(phone(1)).expect("there is room");
        let (first, _first_cut) = guests.admit(phone(1)).expect("the idle one makes room");
        assert!(idle_is_cut.try_recv().is_err_and(|it| it == Closed));
        assert!(is_cut.try_recv().is_err_and(|it| it != Closed), "not yet");
        first.begins();
        let (_second, _second_cut) = guests.admit(phone(1)).expect("then the stream does");
        assert!(is_cut.try_recv().is_err_and(|it| it == Closed));
    }

    #[test]
    fn connections_are_bounded_per_address_and_in_all_and_the_laptop_always_gets_in() {
        let guests = guests();
        let mut busy = Vec::new();
        for address in [1, 2] {
            for _ in 0..3 {
                let (place, cut) = guests.admit(phone(address)).expect("there is room");
                place.begins();
                busy.push((place, cut));
            }
            assert!(guests.admit(phone(address)).is_none(), "four from one");
        }
        assert!(guests.admit(phone(3)).is_none(), "seven in all");
        let director = guests.admit(LAPTOP).expect("the laptop has its own share");
        director.0.begins();
        let mapped = IpAddr::V6(std::net::Ipv4Addr::LOCALHOST.to_ipv6_mapped());
        assert!(guests.admit(mapped).is_some(), "the same laptop");
        drop(busy.pop());
        assert!(guests.admit(phone(3)).is_some(), "somebody has left");
    }

    #[test]
    fn whoever_comes_takes_the_place_of_whoever_has_been_idle_for_longest() {
        let guests = guests();
        let (asked, mut asked_cut) = guests.admit(phone(1)).expect("room");
        asked.begins();
        asked.rests();
        let (_first, mut first_cut) = guests.admit(phone(1)).expect("room");
        let (_second, mut second_cut) = guests.admit(phone(1)).expect("room");
        let is_cut = |cut: &mut oneshot::Receiver<()>| {
            matches!(cut.try_recv(), Err(oneshot::error::TryRecvError::Closed))
        };
        let _third = guests.admit(phone(1)).expect("an idle one makes room");
        assert!(is_cut(&mut first_cut), "the longest idle");
        assert!(!is_cut(&mut second_cut) && !is_cut(&mut asked_cut));
        let _fourth = guests.admit(phone(1)).expect("and the next");
        assert!(is_cut(&mut second_cut));
        assert!(!is_cut(&mut asked_cut), "who asked for something goes last");
    }

    #[test]
    fn few_open_files_leave_the_laptop_its_share() {
        assert_eq!(Bounds::within(None), Bounds::default());
        assert_eq!(Bounds::within(Some(4_096)), Bounds::default());
        let few = Bounds::within(Some(256));
        assert!(few.laptop + few.others <= 256 - 64, "{few:?}");
        assert!(few.laptop >= 64, "{few:?}");
    }
}
