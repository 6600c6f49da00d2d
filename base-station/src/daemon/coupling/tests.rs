//! Writing without damage.

use std::fs::File;
use std::io::Write as _;

use super::*;
use crate::exchange::coupling::Put;

fn small_file() -> Vec<u8> {
    let column = |name: &str| jet::Column::new(name, jet::Kind::Text(40));
    let row = |text: &str| vec![jet::Value::Text(text.to_owned())];
    let table = jet::Table {
        name: "ReceivedData".to_owned(),
        columns: vec![column("Contract")],
        rows: vec![row("4 S"), row("3 NT")],
    };
    jet::write(jet::Version::Jet3, &[table]).expect("a file")
}

#[test]
fn a_write_that_is_cut_off_at_any_byte_leaves_the_old_file_or_the_new_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("monday.bws");
    let old = small_file();
    let mut file = jet::Database::open(old.clone()).expect("a database");
    let values = [("Contract", jet::Value::Text("2 H x".to_owned()))];
    file.append("ReceivedData", &values).expect("appended");
    let new = file.into_bytes();
    std::fs::write(&path, &old).expect("written");
    for cut in 0..new.len() {
        let write = |file: &mut File, bytes: &[u8]| {
            file.write_all(&bytes[..cut])?;
            Err(io::Error::other("the power is gone"))
        };
        replace(&path, Some(&old), &new, write).expect_err("cut off");
        assert!(std::fs::read(&path).expect("a file") == old, "cut at {cut}");
    }
    replace(&path, Some(&old), &new, write_all).expect("replaced");
    assert!(std::fs::read(&path).expect("a file") == new);
    let names = std::fs::read_dir(folder.path()).expect("a folder");
    assert_eq!(names.count(), 1, "no draft is left");
    // Somebody else was there meanwhile: theirs stays.
    replace(&path, Some(&old), &small_file(), write_all).expect_err("not ours to replace");
    assert!(std::fs::read(&path).expect("a file") == new);
}

#[test]
fn a_file_that_another_program_holds_is_left_alone_and_a_second_one_lies_beside_it() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("monday.bws");
    let old = small_file();
    std::fs::write(&path, &old).expect("written");
    let put = |byte: u8| Put {
        file: Some([old.clone(), vec![byte]].concat()),
        results: 1,
        notes: Vec::new(),
    };
    std::fs::write(folder.path().join("monday.ldb"), "PC-7").expect("a lock");
    let mut state = CouplingState::default();
    assert!(!keep(&path, &old, put(1), &mut state).expect("kept"));
    let second = folder.path().join("monday-byestand.bws");
    assert_eq!(state.beside, Some(second.display().to_string()));
    assert!(std::fs::read(&path).expect("a file") == old);
    assert!(std::fs::read(&second).expect("a file").ends_with(&[1]));

    // It lets go: everything goes into its own file, and the second one is gone.
    std::fs::remove_file(folder.path().join("monday.ldb")).expect("let go");
    let mut state = CouplingState::default();
    assert!(keep(&path, &old, put(2), &mut state).expect("kept"));
    assert_eq!(state.beside, None);
    assert!(std::fs::read(&path).expect("a file").ends_with(&[2]));
    assert!(!second.exists());
}

#[test]
fn copies_of_two_evenings_under_one_name_are_both_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("today.bws");
    for content in ["first", "first", "second"] {
        keep_original(&path, content.as_bytes()).expect("kept");
    }
    let copy = |name: &str| std::fs::read_to_string(folder.path().join(name)).expect("a copy");
    assert_eq!(copy("today.bws.original"), "first");
    assert_eq!(copy("today.bws.original-2"), "second");
}
