use super::*;
use crate::frame::ClubKey;

#[test]
fn point_15_a_message_that_is_too_long_is_an_error_of_its_own() {
    let pad = PadId::MIN;
    let identity = PadIdentity {
        pad,
        network: NetworkId::new(1),
        keys: ClubKey::new([7; 32]).for_pad(pad),
    };
    let mut link = PadLink::new(identity, Timing::COMMON, AssociationNumber(0), 1);
    let long = [0; URGENT_LEN_MAX + 1];
    let now = Instant::ZERO;
    assert_eq!(link.send_bytes(&long, now), Err(Unsent::TooLong));
    assert_eq!(link.send(&Up::CallDirector, now), Ok(()));
    assert_eq!(link.send(&Up::CancelCall, now), Err(Unsent::Busy));
    // And still, while the other one is under way: waiting would not help.
    assert_eq!(link.send_bytes(&long, now), Err(Unsent::TooLong));
}
