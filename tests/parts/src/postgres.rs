//! A `PostgreSQL` of its own: Debian's, in a folder that goes away with it.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Where Debian puts the programs of every version.
const VERSIONS: &str = "/usr/lib/postgresql";

/// Making and starting one takes two seconds on a quiet machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// A running `PostgreSQL`. It listens in its own folder only, and ends with whoever started it.
#[derive(Debug)]
pub struct Postgres {
    folder: PathBuf,
    programs: PathBuf,
    server: Option<Child>,
    /// Where it can be asked over the network, too, encrypted; else at its usual number, which only
    /// names the socket then.
    port: Option<u16>,
}

impl Postgres {
    /// Makes an empty one and starts it.
    pub fn start() -> Self {
        static MADE: AtomicU32 = AtomicU32::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let name = format!("byestand-postgres-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir(&folder).expect("a folder for the database");
        if is_root() {
            let owned = Command::new("chown").arg("postgres").arg(&folder).status();
            assert!(
                owned.is_ok_and(|it| it.success()),
                "the folder has an owner"
            );
        }
        let mut postgres = Self {
            programs: programs(),
            folder,
            server: None,
            port: None,
        };
        let made = postgres
            .command("initdb")
            .args(["--username=postgres", "--auth=trust", "--encoding=UTF8"])
            .args(["--locale=C", "--no-sync", "-D"])
            .arg(postgres.data())
            .stdout(Stdio::null())
            .status();
        assert!(made.is_ok_and(|it| it.success()), "initdb makes a database");
        postgres.start_again();
        postgres
    }

    /// Its address. Socket and name of the folder are all that it has.
    pub fn address(&self) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://postgres@{folder}:{}/postgres", self.number())
    }

    /// Starts again so that it can be asked over the network of this machine as well, encrypted with
    /// this certificate for `localhost` and its key; answers with that address.
    pub fn encrypt(&mut self, certificate: &str, key: &str) -> String {
        self.kill();
        let free = std::net::TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = free.local_addr().expect("an address").port();
        drop(free);
        self.port = Some(port);
        for (name, text) in [("server.crt", certificate), ("server.key", key)] {
            let file = self.data().join(name);
            std::fs::write(&file, text).expect("written");
            let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
            std::fs::set_permissions(&file, private).expect("private");
            if is_root() {
                let owned = Command::new("chown").arg("postgres").arg(&file).status();
                assert!(owned.is_ok_and(|it| it.success()), "it has an owner");
            }
        }
        self.start_again();
        format!("postgres://postgres@localhost:{port}/postgres?sslmode=require")
    }

    fn number(&self) -> u16 {
        self.port.unwrap_or(5432)
    }

    /// Starts it with the folder as it is.
    pub fn start_again(&mut self) {
        let log = std::fs::File::create(self.folder.join("log")).expect("a log");
        let server = self
            .command("postgres")
            .arg("-D")
            .arg(self.data())
            .args(["-c", "max_connections=40", "-p", &self.number().to_string()])
            .args(if self.port.is_some() {
                ["-c", "listen_addresses=127.0.0.1", "-c", "ssl=on"]
            } else {
                ["-c", "listen_addresses=", "-c", "ssl=off"]
            })
            .arg("-k")
            .arg(&self.folder)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn();
        self.server = Some(server.expect("PostgreSQL starts"));
        let begun = Instant::now();
        while !self.is_ready() {
            assert!(begun.elapsed() < PATIENCE, "PostgreSQL is ready");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Ends it without asking anybody, as a power cut does.
    pub fn kill(&mut self) {
        if let Some(mut server) = self.server.take() {
            // Its own children would go on for a moment: told to, it ends them at once.
            let quit = Command::new("kill")
                .args(["-QUIT", &server.id().to_string()])
                .status();
            if !quit.is_ok_and(|it| it.success()) {
                let _ = server.kill();
            }
            let _ = server.wait();
        }
    }

    /// Asks it something and gives the answer as `psql` prints it.
    pub fn ask(&self, sql: &str) -> String {
        let answer = self
            .command("psql")
            .args(["-X", "-t", "-A", "-U", "postgres", "-p"])
            .arg(self.number().to_string())
            .arg("-h")
            .arg(&self.folder)
            .args(["-c", sql])
            .output()
            .expect("psql runs");
        let fault = String::from_utf8_lossy(&answer.stderr);
        assert!(answer.status.success(), "{sql}: {fault}");
        let answer = String::from_utf8_lossy(&answer.stdout);
        answer.trim().to_owned()
    }

    fn is_ready(&self) -> bool {
        let asked = self
            .command("pg_isready")
            .args(["-p", &self.number().to_string(), "-h"])
            .arg(&self.folder)
            .stdout(Stdio::null())
            .status();
        asked.is_ok_and(|it| it.success())
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// One of its programs. It refuses to run as root, and is not to outlive us.
    fn command(&self, program: &str) -> Command {
        let program = self.programs.join(program);
        let mut command = Command::new("setpriv");
        command.args(["--pdeathsig", "QUIT"]);
        if is_root() {
            command.args([
                "--reuid",
                "postgres",
                "--regid",
                "postgres",
                "--clear-groups",
            ]);
        }
        command.arg(program).current_dir(&self.folder);
        command
    }
}

impl Drop for Postgres {
    fn drop(&mut self) {
        self.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// The newest version's programs.
fn programs() -> PathBuf {
    let versions = std::fs::read_dir(VERSIONS);
    let versions = versions.expect("PostgreSQL is installed: run tests/install database");
    let newest = versions
        .filter_map(|version| version.ok()?.file_name().into_string().ok()?.parse().ok())
        .max();
    let newest: u32 = newest.expect("a version of PostgreSQL");
    Path::new(VERSIONS).join(newest.to_string()).join("bin")
}

fn is_root() -> bool {
    rustix::process::geteuid().is_root()
}
