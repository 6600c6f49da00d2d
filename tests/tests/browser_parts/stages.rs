//! A championship in two stages: begun on the page, its first stage played, somebody goes home, and
//! the next stage takes whom the standing sends.

use tests::browser::{Page, Room, Size};

use super::match_steps::fill;

/// A Swiss of four teams, one round of six boards, as the first stage of the first championship; the
/// second match is won by less than the first.
const FIRST_STAGE: &str = "
    const done = arguments[arguments.length - 1];
    const { get, post, put } = await import('/assets/js/api.js');
    await post('calendar/events', { name: 'Club Teams', date: '2026-11-17' });
    const contestants = ['Eagles', 'Foxes', 'Hawks', 'Owls'].map((name, at) => ({ number: at + 1, name }));
    await post('contest', { section: 'A', name: 'Qualifying', format: 'swiss', rounds: 1, boards: 6,
        comparison: 'teams-imps', column: 'boards', contestants, stage: { championship: 1, stage: 1 } });
    await post('contest/draw', { section: 'A', seed: 5 });
    await put('settings/way', { way: 'Paper' });
    await post('open', {});
    const [{ rounds }] = (await get('contest')).contests;
    for (const { number } of rounds[0].matches)
        for (let board = 1; board <= 6; board += 1) {
            const score = number === 1 ? 200 : 100;
            await post('lines/typed', { table: `A${2 * number - 1}`, round: 1, board, typed: String(score) });
            await post('lines/typed', { table: `A${2 * number}`, round: 1, board, typed: String(-score) });
        }
    await post('end-play', {});
    await post('release', { despite_checklist: true });
    done(rounds[0].matches.map(({ home }) => home.contestant));";

pub(crate) async fn from_stage_to_stage(size: Size) {
    let room = Room::start();
    let address = &room.address;
    let mut page = Page::open("stages", size).await;
    page.go(&format!("{address}/#/competitions")).await;
    let form = "#championship-begin";
    page.sees(form, "Begin an event with stages").await;
    page.click_on(&format!("{form} summary")).await;
    fill(&page, form, "Its name", "Club Teams").await;
    let stage = |at: u8| format!("{form} fieldset:nth-of-type({at})");
    fill(&page, &stage(1), "Stage", "Qualifying").await;
    fill(&page, &stage(2), "Stage", "Final").await;
    fill(&page, &stage(2), "How many go on", "2").await;
    page.shown("plan").await;
    page.click_on(&format!("{form} button.primary")).await;
    page.sees("main h1", "Club Teams").await;
    page.sees("#stage-2", "the best 2 of Qualifying").await;
    page.shown("begun").await;

    let played = format!("(async (...arguments) => {{ {FIRST_STAGE} }})(...arguments)");
    let homes = page.client.execute_async(&played, vec![]).await;
    let first = homes.expect("played")[0].clone();
    page.go(&format!("{address}/#/competitions/championship/1"))
        .await;
    page.sees("#stage-1", "over").await;
    page.sees("#stage-2", "Who goes on").await;
    let going = "return [...document.querySelectorAll('#stage-2 tbody tr')].map((row) => row.cells[1].firstChild.textContent)";
    let before = page.script(going, vec![]).await;
    assert_eq!(before.as_array().map(Vec::len), Some(2), "{before}");
    page.click_on("#stage-1-1 > summary").await;
    page.shown("who-goes-on").await;

    // The best one has gone home: the third comes in, and the others stay.
    let goes_home = "
        const rows = [...document.querySelectorAll('#stage-1-1 tbody tr')];
        const how = rows[0].querySelector('select');
        how.value = 'withdrawn';
        how.dispatchEvent(new Event('change', { bubbles: true }));
        return Number(rows[0].cells[1].textContent)";
    assert_eq!(page.script(goes_home, vec![]).await, first);
    page.sees("#stage-2", "comes in for another").await;
    let after = page.script(going, vec![]).await;
    assert!(
        after.as_array().is_some_and(|all| all.contains(&before[1])),
        "{before} {after}"
    );
    assert!(
        after
            .as_array()
            .is_some_and(|all| !all.contains(&before[0])),
        "{before} {after}"
    );
    page.shown("a-replacement").await;
    // It was the wrong one: it is back, and goes home after all.
    page.click_on("#toast button").await;
    page.until(
        "nobody comes in for another",
        "return !document.querySelector('#stage-2').textContent.includes('comes in for another')",
    )
    .await;
    assert_eq!(page.script(going, vec![]).await, before);
    assert_eq!(page.script(goes_home, vec![]).await, first);
    page.sees("#stage-2", "comes in for another").await;
    page.click("Set it up on the page Matches").await;
    page.sees("main", "Set matches up").await;
    page.assert_no_barriers();
    page.close().await;
}
