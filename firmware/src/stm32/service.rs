//! The service port: mirrors every screen, and takes commands.
use core::fmt::Write as _;

use embassy_futures::select::{Either, Either4, select, select4};
use embassy_stm32::usart::{BufferedUartRx, BufferedUartTx};
use embedded_io_async::{Read, Write};
use heapless::String;
use pad::service::{COMMAND_LEN_MAX, Command, introduce, mirror};

use super::channels::{ANSWERS, Answer, COMMANDS, ECHOED, GREETED, MEMBERSHIP, MIRRORED};
use super::identity;
use super::idle;
use super::update::firmware;

/// A screen as text: a dozen lines of at most 64 bytes.
type Page = String<1024>;

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
            ANSWERS.wait(),
            MEMBERSHIP.wait(),
        );
        let _ = match select(GREETED.wait(), next).await {
            Either::First(()) => introduce(identity::pad(), firmware(), &mut page),
            Either::Second(Either4::First(key)) => writeln!(page, "key {}", key.legend()),
            Either::Second(Either4::Second(screen)) => mirror(&screen, &mut page),
            Either::Second(Either4::Third(Answer::Refused(why))) => {
                writeln!(page, "refused: {why}")
            }
            Either::Second(Either4::Third(Answer::Update(progress))) => {
                writeln!(page, "{progress}")
            }
            Either::Second(Either4::Fourth(line)) => page.write_str(&line),
        };
    }
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
                    Err(refusal) => ANSWERS.signal(Answer::Refused(refusal)),
                }
                line.clear();
            }
            [byte] => drop(line.push(char::from(byte))),
        }
    }
}
