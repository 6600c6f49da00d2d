use super::page::{signed, symbols, two};

#[test]
fn contracts_are_printed_with_their_suits() {
    let told = [
        ("4S", "4<span class=\"s\">♠</span>"),
        ("3NT", "3NT"),
        ("5DX", "5<span class=\"d\">♦</span>×"),
        ("2HXX", "2<span class=\"h\">♥</span>××"),
        ("HK", "<span class=\"h\">♥</span>K"),
        ("S9", "<span class=\"s\">♠</span>9"),
    ];
    for (written, printed) in told {
        assert_eq!(symbols(written).into_string(), printed, "{written}");
    }
}

#[test]
fn scores_carry_their_sign_and_points_two_decimals() {
    assert_eq!(signed(Some(620)), "+620");
    assert_eq!(signed(Some(-50)), "−50");
    assert_eq!(signed(Some(0)), "0");
    assert_eq!(signed(None), "");
    assert_eq!(two(Some(7.5)), "7.50");
}
