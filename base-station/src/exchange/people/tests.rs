//! Lists as offices have them.

use encoding_rs::WINDOWS_1252;

use super::{Column, NotAList, PeopleList, Wanted, read};

fn list(bytes: &[u8]) -> Result<PeopleList, NotAList> {
    read(bytes, &Wanted::default())
}

fn people(list: &PeopleList) -> Vec<(u32, &str)> {
    let good = list.people.iter().filter(|it| it.problem.is_none());
    good.map(|it| (it.number.expect("a number").get(), it.name.as_str()))
        .collect()
}

fn packed(files: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let options =
        zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, content) in files {
        zip.start_file(*name, options).expect("a file");
        std::io::Write::write_all(&mut zip, content.as_bytes()).expect("its content");
    }
    zip.finish().expect("an archive").into_inner()
}

/// The least that is a workbook of Excel.
fn xlsx(rows: &[&[&str]]) -> Vec<u8> {
    let cell = |text: &&str| match text.parse::<u32>() {
        Ok(number) if !text.starts_with('0') => format!("<c><v>{number}</v></c>"),
        _ => format!("<c t=\"inlineStr\"><is><t>{text}</t></is></c>"),
    };
    let rows = rows.iter().map(|row| {
        let cells: String = row.iter().map(cell).collect();
        format!("<row>{cells}</row>")
    });
    let rows: String = rows.collect();
    let sheet = format!(
        "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>{rows}</sheetData></worksheet>"
    );
    packed(&[
        (
            "[Content_Types].xml",
            "<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>",
        ),
        (
            "_rels/.rels",
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
        ),
        (
            "xl/workbook.xml",
            "<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"Members\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>",
        ),
        (
            "xl/_rels/workbook.xml.rels",
            "<Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>",
        ),
        ("xl/worksheets/sheet1.xml", &sheet),
    ])
}

/// The least that is a spreadsheet of `LibreOffice`.
fn ods(rows: &[&[&str]]) -> Vec<u8> {
    let rows = rows.iter().map(|row| {
        let cells = row.iter().map(|text| {
            format!("<table:table-cell office:value-type=\"string\"><text:p>{text}</text:p></table:table-cell>")
        });
        let cells: String = cells.collect();
        format!("<table:table-row>{cells}</table:table-row>")
    });
    let rows: String = rows.collect();
    let content = format!(
        "<office:document-content xmlns:office=\"urn:oasis:names:tc:opendocument:xmlns:office:1.0\" xmlns:table=\"urn:oasis:names:tc:opendocument:xmlns:table:1.0\" xmlns:text=\"urn:oasis:names:tc:opendocument:xmlns:text:1.0\"><office:body><office:spreadsheet><table:table table:name=\"Members\">{rows}</table:table></office:spreadsheet></office:body></office:document-content>"
    );
    packed(&[
        ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
        (
            "META-INF/manifest.xml",
            "<manifest:manifest xmlns:manifest=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0\"/>",
        ),
        ("content.xml", &content),
    ])
}

const EXPECTED: [(u32, &str); 2] = [(17, "Ruth Weiß"), (1_018, "Jean-Paul de la Tour")];

#[test]
fn a_list_is_read_in_any_order_of_columns() {
    let lists = [
        "17,Ruth Weiß\n1018,Jean-Paul de la Tour\n",
        "Number;Name\r\n00017;Ruth Weiß\r\n01018;Jean-Paul de la Tour\r\n",
        "Surname\tFirst name\tPlayer no.\nWeiß\tRuth\t17\nde la Tour\tJean-Paul\t1018\n",
        "\"Nummer\",\"Vorname\",\"Nachname\"\n17,\"Ruth\",\" Weiß\"\n\n1018,Jean-Paul,\"de la  Tour\"\n",
        "Name;Nr.\nWeiß, Ruth;17\nde la Tour, Jean-Paul;1018\n",
        "Verein,Vorname,Name,Jahrgang,Mitgliedsnummer,E-Mail\n3,Ruth,Weiß,1950,17,r@example.org\n3,Jean-Paul,de la Tour,1950,1018,\n",
        "ruth@example.org|Ruth|Weiß|17\njp@example.org|Jean-Paul|de la Tour|1018\n",
        "'00017,Ruth Weiß,Wien\n1018,Jean-Paul de la Tour,Linz\n",
    ];
    for text in lists {
        let list = list(text.as_bytes()).expect(text);
        assert_eq!(people(&list), EXPECTED, "{text}: {:?}", list.columns);
        assert_eq!(list.first_problem(), None, "{text}");
        assert_eq!(list.encoding.as_deref(), Some("UTF-8"));
    }
}

#[test]
fn a_list_is_read_in_whatever_encoding_it_was_saved() {
    let text = "Nummer;Name\r\n17;Ruth Weiß\r\n1018;Jean-Paul de la Tour\r\n19;Zoë Müller-Größ\r\n";
    let wide = |mark: bool, little: bool| {
        let mark: &[u16] = if mark { &[0xfeff] } else { &[] };
        let units = mark.iter().copied().chain(text.encode_utf16());
        let bytes = units.flat_map(|unit| {
            if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            }
        });
        bytes.collect::<Vec<u8>>()
    };
    let files = [
        (text.as_bytes().to_vec(), "UTF-8"),
        (format!("\u{feff}{text}").into_bytes(), "UTF-8"),
        (WINDOWS_1252.encode(text).0.into_owned(), "windows-1252"),
        (wide(true, true), "UTF-16LE"),
        (wide(true, false), "UTF-16BE"),
        (wide(false, true), "UTF-16LE"),
        (wide(false, false), "UTF-16BE"),
    ];
    for (bytes, encoding) in files {
        let list = list(&bytes).expect(encoding);
        assert_eq!(list.encoding.as_deref(), Some(encoding));
        let expected = [EXPECTED[0], EXPECTED[1], (19, "Zoë Müller-Größ")];
        assert_eq!(people(&list), expected, "{encoding}");
    }
    let wanted = Wanted {
        encoding: "windows-1250".to_owned(),
        ..Wanted::default()
    };
    let polish = encoding_rs::WINDOWS_1250
        .encode("7;Łucja Żak\n")
        .0
        .into_owned();
    let told = read(&polish, &wanted).expect("a list");
    assert_eq!(people(&told), [(7, "Łucja Żak")]);
    let wanted = Wanted {
        encoding: "klingon".to_owned(),
        ..Wanted::default()
    };
    let refused = read(&polish, &wanted)
        .expect_err("no such encoding")
        .to_string();
    assert!(refused.contains("klingon"), "{refused}");
}

#[test]
fn columns_that_were_guessed_wrongly_are_put_right() {
    let text = b"1,17,Weiss,Ruth\n2,18,Lind,Karl\n";
    let guessed = list(text).expect("a list");
    assert_eq!(guessed.columns[0].column, Column::Number);
    let wanted = Wanted {
        columns: vec![
            Column::Nothing,
            Column::Number,
            Column::Surname,
            Column::FirstName,
        ],
        ..Wanted::default()
    };
    let told = read(text, &wanted).expect("a list");
    assert_eq!(people(&told), [(17, "Ruth Weiss"), (18, "Karl Lind")]);
}

#[test]
fn lines_that_cant_be_taken_are_named_and_the_others_are_there() {
    let text = "Number,Name\n1,Ruth\nx,Paul\n3,\n1,Anna\n0,Nobody\n1234567890,Far\n7,Zoe\n";
    let list = list(text.as_bytes()).expect("a list");
    assert_eq!(people(&list), [(1, "Ruth"), (7, "Zoe")]);
    let problems: Vec<(usize, String)> = list
        .people
        .iter()
        .filter_map(|it| Some((it.line, it.problem.as_ref()?.to_string())))
        .collect();
    assert_eq!(
        problems,
        [
            (3, "expected a player number, not \"x\""),
            (4, "the name is missing"),
            (5, "player number 1 is in line 2 already"),
            (6, "0 is the number of visitors"),
            (7, "expected a player number, not \"1234567890\""),
        ]
        .map(|(line, problem)| (line, problem.to_owned()))
    );
    assert_eq!(
        list.first_problem().expect("a problem"),
        "line 3 of the list: expected a player number, not \"x\""
    );
}

#[test]
fn addresses_are_in_nothing_that_is_read() {
    let text = "Number,Name,E-Mail\n1,Ruth Weiss,ruth@example.org\n2,Karl Lind,karl@example.org\n";
    let list = list(text.as_bytes()).expect("a list");
    assert_eq!(list.columns[2].column, Column::Email);
    let shown = serde_json::to_string(&list).expect("JSON");
    assert!(!shown.contains("example.org"), "{shown}");
}

#[test]
fn spreadsheets_are_read_with_their_numbers() {
    // Names and numbers of nobody, written here cell by cell.
    let xlsx = xlsx(&[
        &["Mitgliedsnummer", "Nachname", "Vorname"],
        &["0017", "Weiß", "Ruth"],
        &["1018", "de la Tour", "Jean-Paul"],
    ]);
    let list = super::read(&xlsx, &Wanted::default()).expect("a spreadsheet");
    assert_eq!(list.kind, "XLSX");
    assert_eq!(people(&list), EXPECTED);
    assert_eq!(list.people[0].line, 2);
    let ods = ods(&[
        &["Vorname", "Nachname", "Nr."],
        &["Ruth", "Weiß", "17"],
        &["Jean-Paul", "de la Tour", "1018"],
    ]);
    let list = super::read(&ods, &Wanted::default()).expect("a spreadsheet");
    assert_eq!(list.kind, "ODS");
    assert_eq!(people(&list), EXPECTED);
}

#[test]
fn the_names_of_a_bws_file_are_a_list() {
    let bws = crate::exchange::tests::bws_with_names();
    let list = list(&bws).expect("a list");
    assert_eq!(list.kind, "BWS");
    let found = people(&list);
    assert!(found.contains(&(12, "Ann North")), "{found:?}");
}

#[test]
fn what_is_no_list_is_refused_with_a_sentence() {
    let files: [(&[u8], &str); 5] = [
        (b"", "the list of players is empty"),
        (b"\n ; ;\n", "the list of players is empty"),
        (b"PK\x03\x04 is no archive", "no spreadsheet"),
        (
            b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 neither",
            "no spreadsheet",
        ),
        (b"a\0b\x01\x02 some program", "no list of players"),
    ];
    for (bytes, expected) in files {
        let refused = list(bytes).expect_err(expected).to_string();
        assert!(refused.contains(expected), "{refused}");
    }
    // Whatever is done to a file, a sentence or people come out.
    let mut random = fastrand::Rng::with_seed(5);
    let whole = xlsx(&[&["Number", "Name"], &["1", "Ruth"]]);
    for _ in 0..300 {
        let mut bytes = whole.clone();
        for _ in 0..random.usize(1..6) {
            let at = random.usize(..bytes.len());
            bytes[at] = random.u8(..);
        }
        bytes.truncate(random.usize(1..=bytes.len()));
        if let Err(refused) = list(&bytes) {
            assert!(!refused.0.is_empty());
        }
    }
}
