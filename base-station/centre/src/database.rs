//! The way to `PostgreSQL`: connections, and the tables that a centre needs there.

use std::time::Duration;

use deadpool_postgres::{Manager, ManagerConfig, Pool, PoolError, RecyclingMethod};
use tokio_postgres::config::SslMode;
use tokio_postgres::{Client, Config, Socket};

use crate::encrypted::{Encrypted, Stream};

/// Connections for pages. Records have one of their own, and so have those who follow them: a
/// process never holds more than this and two.
const PAGES_CONNECTIONS_MAX: usize = 8;

/// How long a page may wait for one.
const WAIT_MAX: Duration = Duration::from_secs(5);

/// The tables, step by step; a step that has been released is never changed.
const STEPS: [&str; 4] = [
    include_str!("../migrations/0001.sql"),
    include_str!("../migrations/0002.sql"),
    include_str!("../migrations/0003.sql"),
    include_str!("../migrations/0004.sql"),
];

/// Only one process makes tables at a time: a number that nobody else uses for a lock.
const TABLES_LOCK: i64 = 0x6279_6573_7461_6e64;

/// Why the database could not be asked.
#[derive(Debug, thiserror::Error)]
pub enum DatabaseError {
    /// The address.
    #[error("{0}: expected an address of PostgreSQL such as postgres://name@localhost/byestand")]
    Address(String),
    /// What `PostgreSQL` says.
    #[error("PostgreSQL: {}", told(.0))]
    Postgres(#[from] tokio_postgres::Error),
    /// There was no connection.
    #[error("PostgreSQL: {0}")]
    Pool(String),
    /// Tables of a newer program.
    #[error(
        "the database was made by a newer Byestand (step {there}, this one knows {known}): use that one"
    )]
    Newer {
        /// The last step that was done.
        there: i32,
        /// The last that this program knows.
        known: i32,
    },
}

/// Its own words: `Display` has only what kind of fault it was.
fn told(fault: &tokio_postgres::Error) -> String {
    let own = fault.as_db_error().map(|it| it.message().to_owned());
    let cause = || std::error::Error::source(fault).map(ToString::to_string);
    own.or_else(cause).unwrap_or_else(|| fault.to_string())
}

impl From<PoolError> for DatabaseError {
    fn from(fault: PoolError) -> Self {
        match fault {
            PoolError::Backend(fault) => Self::Postgres(fault),
            other => Self::Pool(other.to_string()),
        }
    }
}

/// Where the database is, and connections to it.
#[derive(Clone, Debug)]
pub(crate) struct Database {
    config: Config,
    encrypted: Encrypted,
    pool: Pool,
}

impl Database {
    /// At this address. Nothing is asked yet.
    pub(crate) fn at(address: &str) -> Result<Self, DatabaseError> {
        let wrong = |_| DatabaseError::Address(without_password(address));
        let mut config: Config = address.parse().map_err(wrong)?;
        config.application_name("byestand centre");
        config.connect_timeout(WAIT_MAX);
        // A machine that is gone without a word is noticed.
        config.keepalives_idle(Duration::from_secs(10));
        if config.get_ssl_mode() != SslMode::Require {
            // Half a promise would be none: it is encrypted where the address asks for it.
            config.ssl_mode(SslMode::Disable);
        }
        let encrypted = Encrypted::new().map_err(|it| DatabaseError::Pool(it.to_string()))?;
        let recycling_method = RecyclingMethod::Fast;
        let manager = ManagerConfig { recycling_method };
        let manager = Manager::from_config(config.clone(), encrypted.clone(), manager);
        let pool = Pool::builder(manager)
            .max_size(PAGES_CONNECTIONS_MAX)
            .runtime(deadpool_postgres::Runtime::Tokio1)
            .timeouts(deadpool_postgres::Timeouts {
                wait: Some(WAIT_MAX),
                create: Some(WAIT_MAX),
                recycle: Some(WAIT_MAX),
            })
            .build()
            .map_err(|fault| DatabaseError::Pool(fault.to_string()))?;
        Ok(Self {
            config,
            encrypted,
            pool,
        })
    }

    /// A connection for a page.
    pub(crate) async fn page(&self) -> Result<deadpool_postgres::Object, DatabaseError> {
        Ok(self.pool.get().await?)
    }

    /// A connection to keep, and its other end, which wants to be driven.
    pub(crate) async fn keep(
        &self,
    ) -> Result<(Client, tokio_postgres::Connection<Socket, Stream<Socket>>), DatabaseError> {
        Ok(self.config.connect(self.encrypted.clone()).await?)
    }

    /// Makes the tables that are not there yet.
    pub(crate) async fn make_tables(&self) -> Result<(), DatabaseError> {
        let mut client = self.page().await?;
        let step = client.transaction().await?;
        step.execute("SELECT pg_advisory_xact_lock($1)", &[&TABLES_LOCK])
            .await?;
        step.batch_execute("CREATE TABLE IF NOT EXISTS step (step integer PRIMARY KEY)")
            .await?;
        let row = step
            .query_one("SELECT coalesce(max(step), 0) FROM step", &[])
            .await?;
        let there: i32 = row.get(0);
        let known = i32::try_from(STEPS.len()).unwrap_or(i32::MAX);
        if there > known {
            return Err(DatabaseError::Newer { there, known });
        }
        for (number, sql) in (1..).zip(STEPS) {
            if number > there {
                step.batch_execute(sql).await?;
                step.execute("INSERT INTO step VALUES ($1)", &[&number])
                    .await?;
            }
        }
        step.commit().await?;
        Ok(())
    }
}

/// An address that may be shown.
fn without_password(address: &str) -> String {
    let Some((scheme, rest)) = address.split_once("://") else {
        return "an address".to_owned();
    };
    let shown = rest.rsplit_once('@').map_or(rest, |(_, place)| place);
    format!("{scheme}://{shown}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_wrong_is_told_without_its_password() {
        let refused = Database::at("postgres://me:secret@place:notaport/x").expect_err("no port");
        let told = refused.to_string();
        assert!(
            told.contains("place:notaport/x") && !told.contains("secret"),
            "{told}"
        );
    }
}
