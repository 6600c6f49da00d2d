use std::net::{IpAddr, Ipv4Addr};

use axum::http::{HeaderMap, HeaderValue, Method, header};

use super::{
    Access, Bench, COOKIE, CSRF_HEADER, Door, Limits, Visitor, check_origin, hash_password,
    may_listen, password_is,
};

fn headers(pairs: &[(&str, &str)]) -> HeaderMap {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs {
        let name = header::HeaderName::from_bytes(name.as_bytes()).expect("a name");
        headers.insert(name, HeaderValue::from_str(value).expect("a value"));
    }
    headers
}

fn with_password() -> Access {
    Access {
        password: Some("some hash".to_owned()),
        reading_without_password: false,
    }
}

#[test]
fn a_password_is_known_again_and_another_one_is_not() {
    let hash = hash_password("three small clubs").expect("long enough");
    assert!(hash.starts_with("$argon2id$"), "{hash}");
    assert!(password_is("three small clubs", &hash));
    assert!(!password_is("three small club", &hash));
    assert!(!password_is("", "not a hash"));
    let refused = hash_password("short").expect_err("too short");
    assert!(refused.sentence().to_string().contains('8'), "{refused:?}");
}

#[test]
fn phones_are_let_in_only_with_a_password() {
    let everywhere = IpAddr::V4(Ipv4Addr::UNSPECIFIED);
    let laptop = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let nothing = Access::default();
    assert!(may_listen(laptop, &nothing).is_ok());
    let refused = may_listen(everywhere, &nothing).expect_err("no password");
    assert!(refused.contains("byestand password"), "{refused}");
    assert!(may_listen(everywhere, &with_password()).is_ok());
}

#[test]
fn a_stranger_becomes_a_director_by_signing_in_and_a_stranger_by_signing_out() {
    let door = Door::default();
    let access = with_password();
    assert_eq!(
        door.visitor(&access, &HeaderMap::new()).0,
        Visitor::Stranger
    );
    let (key, _) = door.let_in("Anna".to_owned());
    let mine = headers(&[("cookie", &format!("other=1; {COOKIE}={key}"))]);
    let anna = Visitor::Director("Anna".to_owned());
    assert_eq!(door.visitor(&access, &mine).0, anna);
    door.let_out(&mine);
    assert_eq!(door.visitor(&access, &mine).0, Visitor::Stranger);
    let forged = headers(&[("cookie", &format!("{COOKIE}=0000"))]);
    assert_eq!(door.visitor(&access, &forged).0, Visitor::Stranger);
}

#[test]
fn anyone_may_look_where_the_club_says_so_and_nobody_else_may_act() {
    let access = Access {
        reading_without_password: true,
        ..with_password()
    };
    let door = Door::default();
    assert_eq!(door.visitor(&access, &HeaderMap::new()).0, Visitor::Reader);
}

#[test]
fn another_sites_page_can_change_nothing() {
    let access = with_password();
    let host = ("host", "192.168.0.7:8080");
    let token = (CSRF_HEADER, "secret");
    let ours = ("origin", "http://192.168.0.7:8080");
    let theirs = ("origin", "http://evil.example");
    let check = |given: &[(&str, &str)]| {
        check_origin(&access, &Method::POST, &headers(given), "secret").is_ok()
    };
    assert!(check(&[host, token]));
    assert!(check(&[host, token, ours]));
    assert!(!check(&[host, token, theirs]));
    assert!(!check(&[host, ours]));
    assert!(!check(&[host, (CSRF_HEADER, "guessed"), ours]));
    assert!(!check(&[host, (CSRF_HEADER, ""), ours]));
    let looking = headers(&[host, theirs]);
    assert!(check_origin(&access, &Method::GET, &looking, "secret").is_ok());
}

#[test]
fn without_a_password_a_name_that_points_here_is_not_enough() {
    let access = Access::default();
    for (host, fine) in [
        ("127.0.0.1:8080", true),
        ("localhost:8080", true),
        ("[::1]:8080", true),
        ("localhost", true),
        ("evil.example:8080", false),
        ("192.168.0.7:8080", false),
        ("", false),
    ] {
        let asked = headers(&[("host", host)]);
        let answer = check_origin(&access, &Method::GET, &asked, "secret");
        assert_eq!(answer.is_ok(), fine, "{host}");
    }
}

#[test]
fn a_password_is_not_guessed_by_trying() {
    let limits = Limits::default();
    let from = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 9));
    let taken = (0..100).filter(|_| limits.password(from).is_ok()).count();
    assert!((3..=8).contains(&taken), "{taken} tries at once");
    let other = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 10));
    assert!(limits.password(other).is_ok(), "others may still try");
}

#[test]
fn the_limiter_forgets_and_its_memory_is_bounded_over_many_addresses() {
    let limits = Limits::default();
    for number in 0..200_000_u32 {
        let from = IpAddr::V4(Ipv4Addr::from(0x0A00_0000 + number));
        let _ = limits.request(from);
        let _ = limits.password(from);
    }
    assert!(limits.remembered() <= 2 * 4_096, "{}", limits.remembered());
    let laptop = IpAddr::V4(Ipv4Addr::LOCALHOST);
    assert!(limits.request(laptop).is_ok(), "the laptop gets in");
    assert!(limits.password(laptop).is_ok());
}

#[tokio::test]
async fn sign_in_attempts_are_queued_with_a_bound_and_the_laptop_has_a_queue_of_its_own() {
    let bench = std::sync::Arc::new(Bench::default());
    let hash = hash_password("three small clubs").expect("long enough");
    let phone = IpAddr::V4(Ipv4Addr::new(10, 0, 0, 9));
    let tries: Vec<_> = (0..1_000)
        .map(|_| {
            let (bench, hash) = (std::sync::Arc::clone(&bench), hash.clone());
            tokio::spawn(async move { bench.is_it(phone, "wrong".to_owned(), hash).await })
        })
        .collect();
    tokio::task::yield_now().await;
    let laptop = IpAddr::V4(Ipv4Addr::LOCALHOST);
    let director = bench.is_it(laptop, "three small clubs".to_owned(), hash);
    assert_eq!(director.await, Ok(true), "while a thousand wait");
    let (mut looked_at, mut refused) = (0, 0);
    for one in tries {
        match one.await.expect("no panic") {
            Ok(right) => {
                assert!(!right);
                looked_at += 1;
            }
            Err(problem) => {
                assert_eq!(problem.status().as_u16(), 429);
                assert!(problem.sentence().to_string().contains("at the same time"));
                refused += 1;
            }
        }
    }
    assert!((1..=40).contains(&looked_at), "{looked_at} looked at");
    assert_eq!(looked_at + refused, 1_000);
}
