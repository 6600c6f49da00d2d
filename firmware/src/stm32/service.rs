//! The service port: mirrors every screen, and takes commands.
use core::fmt::Write as _;

use embassy_futures::select::{Either, Either4, select, select4};
use embassy_stm32::usart::{BufferedUartRx, BufferedUartTx};
use embassy_sync::blocking_mutex::raw::CriticalSectionRawMutex;
use embassy_sync::signal::Signal;
use embedded_io_async::{Read, Write};
use heapless::String;
use pad::service::{COMMAND_LEN_MAX, Command, mirror};
use protocol::message::WIRE_VERSION;
use protocol::words::Refusal;

use crate::channels::{COMMANDS, ECHOED, GREETED, MEMBERSHIP, MIRRORED};
use crate::identity;
use crate::idle;

/// A screen as text: a dozen lines of at most 64 bytes.
type Page = String<1024>;

/// What was wrong with the line that was typed last.
static REFUSED: Signal<CriticalSectionRawMutex, Refusal> = Signal::new();

/// Introduces the pad to whoever plugs a cable in, then writes every key, every new screen, and
/// what is wrong with commands.
#[embassy_executor::task]
pub(crate) async fn speak(mut port: BufferedUartTx<'static>) {
    let mut page = Page::new();
    loop {
        // Without a cable the port would hold the bytes until there is one.
        if idle::cable_is_plugged() {
            let _ = port.write_all(page.as_bytes()).await;
        }
        page.clear();
        // A page that is too long is cut, which is better than none.
        let next = select4(
            ECHOED.receive(),
            MIRRORED.wait(),
            REFUSED.wait(),
            MEMBERSHIP.wait(),
        );
        let _ = match select(GREETED.wait(), next).await {
            Either::First(()) => introduce(&mut page),
            Either::Second(Either4::First(key)) => writeln!(page, "key {}", key.legend()),
            Either::Second(Either4::Second(screen)) => mirror(&screen, &mut page),
            Either::Second(Either4::Third(refusal)) => writeln!(page, "refused: {refusal}"),
            Either::Second(Either4::Fourth(line)) => page.write_str(&line),
        };
    }
}

fn introduce(page: &mut Page) -> core::fmt::Result {
    writeln!(
        page,
        "Byestand pad {} firmware {} wire {WIRE_VERSION}",
        identity::pad(),
        env!("CARGO_PKG_VERSION"),
    )
}

/// Collects lines and passes the commands on.
#[embassy_executor::task]
pub(crate) async fn listen(mut port: BufferedUartRx<'static>) {
    let mut line = String::<COMMAND_LEN_MAX>::new();
    let mut byte = [0];
    loop {
        if port.read(&mut byte).await.is_err() {
            continue;
        }
        match byte {
            [b'\r' | b'\n'] => {
                match line.parse::<Command>() {
                    Ok(command) => COMMANDS.send(command).await,
                    Err(_) if line.trim().is_empty() => {}
                    Err(refusal) => REFUSED.signal(refusal),
                }
                line.clear();
            }
            [byte] => drop(line.push(char::from(byte))),
        }
    }
}
