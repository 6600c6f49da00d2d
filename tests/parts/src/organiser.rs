//! Somebody who organises an event on the centre's pages, as a browser does.

/// Signed in.
#[derive(Debug)]
pub struct Organiser {
    agent: ureq::Agent,
    centre: String,
    cookie: String,
}

impl Organiser {
    /// Signs in.
    pub fn sign_in(centre: &str, password: &str) -> Result<Self, u16> {
        let agent = ureq::Agent::config_builder()
            .http_status_as_error(false)
            .max_redirects(0)
            .build()
            .into();
        let mut organiser = Self {
            agent,
            centre: centre.to_owned(),
            cookie: String::new(),
        };
        let answer = organiser.post("organise/sign-in", &[("password", password)]);
        let cookie = answer.headers().get("set-cookie");
        let cookie = cookie.and_then(|it| it.to_str().ok()?.split(';').next());
        let cookie = cookie.ok_or(answer.status().as_u16())?;
        cookie.clone_into(&mut organiser.cookie);
        Ok(organiser)
    }

    /// Asks another centre of the same database from now on.
    pub fn at(self, centre: &str) -> Self {
        Self {
            centre: centre.to_owned(),
            ..self
        }
    }

    /// Makes an event; answers with its number.
    pub fn event(&self, name: &str) -> i32 {
        let made = self.post(
            "organise/event",
            &[("name", name), ("method", "matchpoints")],
        );
        number_in(&made)
    }

    /// Makes an event of rooms of one congress; answers with its number.
    pub fn congress(&self, name: &str) -> i32 {
        let form = [("name", name), ("method", "matchpoints"), ("rooms", "true")];
        number_in(&self.post("organise/event", &form))
    }

    /// Makes an event of Swiss pairs over all rooms of a congress; answers with its number.
    pub fn swiss(&self, name: &str, rounds: u8, boards: u8) -> i32 {
        let (rounds, boards) = (rounds.to_string(), boards.to_string());
        let form = [
            ("name", name),
            ("method", "butler"),
            ("rounds", rounds.as_str()),
            ("boards", boards.as_str()),
        ];
        number_in(&self.post("organise/event", &form))
    }

    /// Enters pairs, one a line; answers with what the page says where it refuses them.
    pub fn pairs(&self, event: i32, pairs: &str) -> Result<(), String> {
        let path = format!("organise/event/{event}/pairs");
        said(self.post(&path, &[("pairs", pairs)]))
    }

    /// Has a round drawn and looks at it; answers with the page.
    pub fn draw(&self, event: i32, round: u8) -> String {
        let path = format!("organise/event/{event}/draw");
        let mut answer = self.post(&path, &[("round", &round.to_string())]);
        answer.body_mut().read_to_string().expect("a page")
    }

    /// Publishes the draw that a page shows; answers with what is said where it is refused.
    pub fn publish(&self, event: i32, drawn: &str) -> Result<(), String> {
        let publish = drawn.split("draw/publish").nth(1).expect("a draw");
        let value = |name: &str| {
            let field = publish.split(&format!("name=\"{name}\" value=\"")).nth(1);
            let field = field.and_then(|it| it.split('"').next());
            field.expect("a field of the form").to_owned()
        };
        let fields = ["round", "seed", "stamp"].map(|name| (name, value(name)));
        let form: Vec<(&str, &str)> = fields.iter().map(|it| (it.0, it.1.as_str())).collect();
        said(self.post(&format!("organise/event/{event}/draw/publish"), &form))
    }

    /// Makes the next session of the same pairs; answers with its number and the rooms' codes.
    pub fn next_session(&self, event: i32, name: &str) -> (i32, Vec<String>) {
        let page = self.post(&format!("organise/event/{event}/next"), &[("name", name)]);
        let page = page.into_body().read_to_string().expect("a page");
        let codes = page.split("<code>").skip(1);
        let codes = codes.filter_map(|it| Some(it.split_once("</code>")?.0.to_owned()));
        let number = page.split("/organise/event/").nth(1).and_then(|it| {
            let end = it.find(|letter: char| !letter.is_ascii_digit())?;
            it[..end].parse().ok()
        });
        (number.expect("the new event"), codes.collect())
    }

    /// Settles every call that the page of all rooms shows; answers with how many.
    pub fn settle_calls(&self, event: i32) -> usize {
        let page = self.rooms(event);
        let calls: Vec<&str> = page.split("rooms/settled").skip(1).collect();
        for call in &calls {
            let value = |name: &str| {
                let field = call.split(&format!("name=\"{name}\" value=\"")).nth(1);
                field.and_then(|it| it.split('"').next()).expect("a field")
            };
            let form = ["club", "table", "called"].map(|name| (name, value(name)));
            let path = format!("organise/event/{event}/rooms/settled");
            let answer = self.post(&path, &form);
            assert_eq!(answer.status().as_u16(), 303, "it is done");
        }
        calls.len()
    }

    /// The page with all rooms.
    pub fn rooms(&self, event: i32) -> String {
        self.get(&format!("organise/event/{event}/rooms"))
    }

    /// Enters clubs; answers with their codes.
    pub fn clubs(&self, event: i32, clubs: &str) -> Vec<String> {
        self.codes(&format!("organise/event/{event}/clubs"), ("clubs", clubs))
    }

    /// Gives a club a new code.
    pub fn new_code(&self, event: i32, club: i32) -> String {
        let path = format!("organise/event/{event}/codes");
        let codes = self.codes(&path, ("club", &club.to_string()));
        codes.into_iter().next().expect("a code")
    }

    /// Takes a club out of the event, or back into it.
    pub fn withdraw(&self, event: i32, club: i32) {
        let path = format!("organise/event/{event}/withdraw");
        let answer = self.post(&path, &[("club", &club.to_string())]);
        assert_eq!(answer.status().as_u16(), 303, "it is done");
    }

    /// Makes the result final; answers with the page that says whether it is.
    pub fn make_final(&self, event: i32) -> (u16, String) {
        let mut answer = self.post(&format!("organise/event/{event}/final"), &[]);
        let page = answer.body_mut().read_to_string().expect("a page");
        (answer.status().as_u16(), page)
    }

    /// The event's page for organisers.
    pub fn page(&self, event: i32) -> String {
        self.get(&format!("organise/event/{event}"))
    }

    fn get(&self, path: &str) -> String {
        let page = format!("{}{path}", self.centre);
        let asked = self.agent.get(page).header("cookie", &self.cookie).call();
        let mut answer = asked.expect("the centre answers");
        answer.body_mut().read_to_string().expect("a page")
    }

    fn codes(&self, path: &str, form: (&str, &str)) -> Vec<String> {
        let mut answer = self.post(path, &[form]);
        let page = answer
            .body_mut()
            .with_config()
            .limit(16 << 20)
            .read_to_string();
        let page = page.expect("a page");
        assert!(page.contains("<code>"), "{page}");
        let codes = page.split("<code>").skip(1);
        let codes = codes.filter_map(|it| Some(it.split_once("</code>")?.0.to_owned()));
        codes.collect()
    }

    fn post(&self, path: &str, form: &[(&str, &str)]) -> ureq::http::Response<ureq::Body> {
        let asked = self.agent.post(format!("{}{path}", self.centre));
        let asked = asked
            .header("cookie", &self.cookie)
            .header("sec-fetch-site", "same-origin");
        asked
            .send_form(form.iter().copied())
            .expect("the centre answers")
    }
}

/// What the centre says where it does not do something.
fn said(mut answer: ureq::http::Response<ureq::Body>) -> Result<(), String> {
    if answer.status().as_u16() == 303 {
        return Ok(());
    }
    Err(answer.body_mut().read_to_string().expect("a page"))
}

/// The event whose page somebody is sent to.
fn number_in(made: &ureq::http::Response<ureq::Body>) -> i32 {
    let place = made.headers().get("location").expect("the event's page");
    let place = place.to_str().expect("a page");
    let number = place.rsplit('/').next().expect("a number");
    number.parse().expect("a number")
}
