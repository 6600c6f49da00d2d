//! The page's type and icons, as they come with their packages: nothing is copied into our folder,
//! and nothing is fetched from anywhere.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

use super::letters;

/// Noto Sans, by the name that `css/base.css` knows it by. It has the letters of every language of
/// the page, figures of one width, and the four suits. What nearly every page needs of it is in a
/// file of its own.
pub(super) fn font(path: &str) -> Option<&'static [u8]> {
    static REGULAR: LazyLock<Option<Vec<u8>>> =
        LazyLock::new(|| letters::only(notosans::REGULAR_TTF, &letters::USUAL));
    static BOLD: LazyLock<Option<Vec<u8>>> =
        LazyLock::new(|| letters::only(notosans::BOLD_TTF, &letters::USUAL));
    match path {
        "fonts/noto-sans-1-regular.ttf" => Some(notosans::REGULAR_TTF),
        "fonts/noto-sans-1-bold.ttf" => Some(notosans::BOLD_TTF),
        "fonts/noto-sans-1-regular-usual.ttf" => {
            Some(REGULAR.as_deref().unwrap_or(notosans::REGULAR_TTF))
        }
        "fonts/noto-sans-1-bold-usual.ttf" => Some(BOLD.as_deref().unwrap_or(notosans::BOLD_TTF)),
        _ => None,
    }
}

/// Every icon of the page in one picture, to be used by name: `/assets/icons.svg#flag`; and its tag.
pub(super) fn icons() -> (&'static str, &'static str) {
    static ALL: LazyLock<(String, String)> = LazyLock::new(|| {
        let picture = sprite();
        let hash = Sha256::digest(&picture);
        let start = hash.first_chunk().copied().map_or(0, u128::from_be_bytes);
        (format!("\"{start:032x}\""), picture)
    });
    (&ALL.0, &ALL.1)
}

/// The drawings are Lucide's; the names are what the page means by them.
fn sprite() -> String {
    let icons = [
        ("room", icondata_lu::LuLayoutGrid),
        ("warnings", icondata_lu::LuFlag),
        ("pads", icondata_lu::LuTablet),
        ("traveller", icondata_lu::LuPencil),
        ("results", icondata_lu::LuTrophy),
        ("setup", icondata_lu::LuSlidersHorizontal),
        ("more", icondata_lu::LuEllipsis),
        ("guide", icondata_lu::LuBookOpen),
        ("help", icondata_lu::LuCircleHelp),
        ("names", icondata_lu::LuUsers),
        ("clock", icondata_lu::LuClock),
        ("display", icondata_lu::LuTv),
        ("replace", icondata_lu::LuRepeat),
        ("phones", icondata_lu::LuSmartphone),
        ("cable", icondata_lu::LuCable),
        ("centre", icondata_lu::LuNetwork),
        ("matches", icondata_lu::LuSwords),
        ("competitions", icondata_lu::LuMedal),
        ("players", icondata_lu::LuChartLine),
        ("movement", icondata_lu::LuShuffle),
        ("history", icondata_lu::LuHistory),
        ("checks", icondata_lu::LuEye),
        ("calendar", icondata_lu::LuCalendar),
        ("exchange", icondata_lu::LuArrowLeftRight),
        ("api", icondata_lu::LuCode),
        ("print", icondata_lu::LuPrinter),
        ("undo", icondata_lu::LuUndo2),
        ("close", icondata_lu::LuX),
        ("check", icondata_lu::LuCheck),
        ("alert", icondata_lu::LuTriangleAlert),
        ("play", icondata_lu::LuPlay),
        ("bell", icondata_lu::LuBell),
        ("download", icondata_lu::LuDownload),
    ];
    let symbols = icons.map(|(name, icon)| {
        let box_ = icon.view_box.unwrap_or("0 0 24 24");
        format!(
            "<symbol id=\"{name}\" viewBox=\"{box_}\">{}</symbol>",
            icon.data
        )
    });
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\">{}</svg>",
        symbols.concat()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_has_its_type_and_every_icon_that_its_scripts_name() {
        for weight in ["regular", "bold", "regular-usual", "bold-usual"] {
            let font = font(&format!("fonts/noto-sans-1-{weight}.ttf"));
            assert!(font.is_some_and(|font| font.starts_with(&[0, 1, 0, 0])));
        }
        assert!(font("fonts/other.ttf").is_none());
        let (_, picture) = icons();
        let scripts = concat!(env!("CARGO_MANIFEST_DIR"), "/assets/js");
        let mut named = 0;
        for script in std::fs::read_dir(scripts).expect("the scripts") {
            let script = std::fs::read_to_string(script.expect("a script").path());
            for part in script.expect("text").split("icon(\"").skip(1) {
                let name = part.split('"').next().unwrap_or_default();
                assert!(
                    picture.contains(&format!("id=\"{name}\"")),
                    "no icon {name}"
                );
                named += 1;
            }
        }
        assert!(named > 3, "{named} icons are used");
    }
}
