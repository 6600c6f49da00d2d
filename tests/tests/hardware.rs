//! The pad one can build is the pad that the image is made for.

use tests::hardware::{Hardware, folder, pins_of_the_image};

#[test]
fn the_pins_of_the_image_are_those_of_the_netlist() {
    assert_eq!(pins_of_the_image(), Hardware::read().pins());
}

#[test]
fn no_pin_is_joined_twice_and_no_part_is_left_lying() {
    assert_eq!(Hardware::read().faults(), Vec::<String>::new());
}

#[test]
fn diagram_and_page_are_those_of_the_netlist() {
    let hardware = Hardware::read();
    for (name, made) in [
        ("wiring.svg", hardware.diagram()),
        ("README.md", hardware.page()),
    ] {
        let kept = std::fs::read_to_string(folder().join(name)).unwrap_or_default();
        assert!(
            kept == made,
            "{name} is old: cargo run -p tests --bin hardware"
        );
    }
}
