use std::fs::OpenOptions;
use std::io::{Read, Write};
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use protocol::link::Timing;

use super::{Airwaves, Faults};

/// A channel, the daemon's end of it, and so many pads' ends.
fn room(baud: u32, pads: u32) -> (Airwaves, std::fs::File, Vec<UnixStream>) {
    let air = Airwaves::new(Timing::at_baud(baud));
    let base = OpenOptions::new()
        .read(true)
        .write(true)
        .open(air.base())
        .expect("the port opens");
    let pads = (0..pads)
        .map(|number| {
            let (pad, radio) = UnixStream::pair().expect("sockets");
            air.join_with(number, radio);
            pad.set_read_timeout(Some(Duration::from_secs(2)))
                .expect("sockets can");
            pad
        })
        .collect();
    // The channel's thread takes the new stations in.
    std::thread::sleep(Duration::from_millis(50));
    (air, base, pads)
}

#[test]
fn the_base_is_heard_by_every_pad_at_the_pace_of_the_modem() {
    let (_air, mut base, mut pads) = room(9_600, 2);
    let start = Instant::now();
    base.write_all(&[7; 96]).expect("the port takes it");
    for pad in &mut pads {
        let mut heard = [0; 96];
        pad.read_exact(&mut heard).expect("everything arrives");
        assert_eq!(heard, [7; 96]);
    }
    let airtime = Duration::from_millis(100);
    assert!(
        start.elapsed() >= airtime,
        "96 bytes took {:?}",
        start.elapsed()
    );
}

#[test]
fn two_pads_at_once_destroy_each_others_bytes() {
    let (_air, mut base, mut pads) = room(1_200, 2);
    pads[0].write_all(&[1; 12]).expect("sent");
    pads[1].write_all(&[2; 12]).expect("sent");
    let mut heard = [0; 24];
    base.read_exact(&mut heard).expect("noise arrives");
    let intact = heard.iter().filter(|byte| matches!(byte, 1 | 2)).count();
    assert!(intact < 4, "{heard:?}");
}

#[test]
fn a_lost_burst_is_lost_as_a_whole() {
    let (air, mut base, mut pads) = room(57_600, 1);
    air.suffer(Faults {
        lost_percent: 100,
        ..Faults::default()
    });
    std::thread::sleep(Duration::from_millis(50));
    base.write_all(b"nobody hears this")
        .expect("the port takes it");
    pads[0]
        .set_read_timeout(Some(Duration::from_millis(200)))
        .expect("sockets can");
    let mut heard = [0; 1];
    assert!(pads[0].read(&mut heard).is_err(), "heard {heard:?}");
}
