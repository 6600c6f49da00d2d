//! The service itself: opens the database, serves, and ends cleanly.

use std::io::Write;
use std::net::SocketAddr;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ed25519_dalek::SigningKey;
use tokio::net::TcpListener;

use crate::database::{Database, DatabaseError};
use crate::web::{PasswordUnfit, Web, new_password, router};

/// Why a centre can't start, as a sentence that says what to do.
#[derive(Debug, thiserror::Error)]
pub enum CentreError {
    /// The database.
    #[error(transparent)]
    Database(#[from] DatabaseError),
    /// The password.
    #[error(transparent)]
    Password(#[from] PasswordUnfit),
    /// The address.
    #[error(
        "the centre can't be served at {address} ({what}): choose another address with --listen"
    )]
    Listen {
        /// Where.
        address: SocketAddr,
        /// What the system said.
        what: String,
    },
    /// The system.
    #[error("the centre can't run here: {0}")]
    System(#[from] std::io::Error),
}

/// Runs a centre until it is told to end. Any number of them may run with one database.
pub fn serve(database: &str, listen: SocketAddr, out: &mut impl Write) -> Result<(), CentreError> {
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let database = Database::at(database)?;
        prepare(&database).await?;
        let fault = |fault: std::io::Error| CentreError::Listen {
            address: listen,
            what: fault.to_string(),
        };
        let listener = TcpListener::bind(listen).await.map_err(fault)?;
        let address = listener.local_addr()?;
        let site = router(Web::new(database));
        writeln!(out, "The centre is ready: http://{address}/")?;
        out.flush()?;
        // Streams of pages would not end by themselves: whoever is told to end does not wait for
        // them, and what was taken is on disk.
        tokio::select! {
            served = axum::serve(listener, site) => served?,
            told = told_to_end() => told?,
        }
        Ok(())
    })
}

/// Sets the password of those who organise.
pub fn set_password(database: &str, password: &str) -> Result<(), CentreError> {
    let hash = new_password(password)?;
    let runtime = tokio::runtime::Runtime::new()?;
    runtime.block_on(async {
        let database = Database::at(database)?;
        prepare(&database).await?;
        let mut client = database.page().await?;
        let step = client.transaction().await.map_err(DatabaseError::from)?;
        step.execute(
            "INSERT INTO setting VALUES ('password', $1)
             ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            &[&hash],
        )
        .await
        .map_err(DatabaseError::from)?;
        // Whoever knows only the old one is out.
        step.execute("DELETE FROM sign_in", &[])
            .await
            .map_err(DatabaseError::from)?;
        step.commit().await.map_err(DatabaseError::from)?;
        Ok(())
    })
}

/// Makes the tables, and the key with which final results are signed.
async fn prepare(database: &Database) -> Result<(), DatabaseError> {
    database.make_tables().await?;
    let key = SigningKey::from_bytes(&rand::random());
    let (secret, public) = (
        URL_SAFE_NO_PAD.encode(key.to_bytes()),
        URL_SAFE_NO_PAD.encode(key.verifying_key().as_bytes()),
    );
    let client = database.page().await?;
    // Both or none: two processes that start together keep the key of one of them.
    client
        .execute(
            "INSERT INTO setting SELECT * FROM (VALUES ('key', $1), ('public key', $2)) AS made
             WHERE NOT EXISTS (SELECT 1 FROM setting WHERE name = 'key')
             ON CONFLICT (name) DO NOTHING",
            &[&secret, &public],
        )
        .await?;
    Ok(())
}

/// A key as it stands in the database.
pub(crate) fn key_of(text: &str) -> Option<[u8; 32]> {
    URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()
}

/// Ctrl-C, or the system's polite request.
async fn told_to_end() -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        let mut terminate = signal(SignalKind::terminate())?;
        tokio::select! {
            pressed = tokio::signal::ctrl_c() => pressed,
            _ = terminate.recv() => Ok(()),
        }
    }
    #[cfg(not(unix))]
    tokio::signal::ctrl_c().await
}
