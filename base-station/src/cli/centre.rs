//! `byestand centre`: one field over any number of base stations.

use std::io::Write;
use std::net::SocketAddr;

use super::CliError;
use super::password::read_secretly;
use crate::daemon::raise_file_limit;

/// Every reader who follows a ranking holds a connection.
const OPEN_FILES_WANTED: u64 = 65_536;

/// Score many clubs or rooms as one field: the centre that their base stations join.
///
/// Everything that it knows is in its database, so any number of centres may run side by side with one
/// database, behind whatever proxy brings them encrypted connections.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The database: `postgres://name@host/database`. Tables are made at the first start. Without
    /// --database the address is taken from `BYESTAND_DATABASE`, where no list of processes shows it.
    #[arg(long, value_name = "ADDRESS")]
    database: Option<String>,
    /// Where bases and browsers find it. It speaks plain HTTP: let a proxy encrypt what comes from
    /// other machines.
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7400")]
    listen: SocketAddr,
    /// Set or reset the password of those who organise events, and end.
    #[arg(long)]
    set_password: bool,
}

/// Serves until it is told to end.
pub fn run(arguments: &Arguments, out: &mut impl Write) -> Result<(), CliError> {
    let named = || std::env::var("BYESTAND_DATABASE").ok();
    let database = arguments.database.clone().or_else(named);
    let database = database.ok_or_else(|| {
        CliError::input(
            "name the database with --database, such as postgres://name@localhost/byestand",
        )
    })?;
    if arguments.set_password {
        write!(out, "New organisers' password: ")?;
        out.flush()?;
        let line = read_secretly()?;
        let password = line.trim_end_matches(['\r', '\n']);
        ::centre::set_password(&database, password).map_err(CliError::input)?;
        writeln!(out, "\nThe password is set.")?;
        return Ok(());
    }
    let wanted = tracing_subscriber::EnvFilter::try_from_env("BYESTAND_LOG");
    let log = tracing_subscriber::fmt().with_writer(std::io::stderr);
    // Whoever runs two of them in one process has one log.
    let _ = log
        .with_env_filter(wanted.unwrap_or_else(|_| "warn".into()))
        .try_init();
    raise_file_limit(OPEN_FILES_WANTED);
    ::centre::serve(&database, arguments.listen, out).map_err(CliError::input)
}
