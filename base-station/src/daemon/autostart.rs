//! Starting with the machine: a systemd user unit on Linux, an entry of the start-up folder on
//! Windows. Both are files of this user; nothing needs an administrator.

use std::io;
use std::path::{Path, PathBuf};

/// How this machine starts programs with its user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Autostart {
    kind: Kind,
    /// The folder of the user.
    home: PathBuf,
    /// The folder of the user's settings.
    settings: PathBuf,
    program: PathBuf,
    data: PathBuf,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Systemd,
    StartUpFolder,
}

impl Autostart {
    /// For this machine; `None` where it has no such thing that we know.
    pub fn of_this_machine(data: &Path) -> Option<Self> {
        let folders = directories::BaseDirs::new()?;
        let kind = if cfg!(windows) {
            Kind::StartUpFolder
        } else if cfg!(target_os = "linux") {
            Kind::Systemd
        } else {
            return None;
        };
        Some(Self {
            kind,
            home: folders.home_dir().to_owned(),
            settings: folders.config_dir().to_owned(),
            program: std::env::current_exe().ok()?,
            data: std::path::absolute(data).ok()?,
        })
    }

    /// Whether the base station starts with the machine.
    pub fn is_on(&self) -> bool {
        self.entry().exists()
    }

    /// Has it start with the machine from now on, or not.
    pub fn switch(&self, on: bool) -> io::Result<()> {
        match (self.kind, on) {
            (Kind::Systemd, true) => {
                write(&self.unit(), &self.unit_text())?;
                let entry = self.entry();
                if let Some(folder) = entry.parent() {
                    std::fs::create_dir_all(folder)?;
                }
                forget(&entry)?;
                link(&self.unit(), &entry)
            }
            (Kind::Systemd, false) => {
                forget(&self.entry())?;
                forget(&self.unit())
            }
            (Kind::StartUpFolder, true) => write(&self.entry(), &self.script()),
            (Kind::StartUpFolder, false) => forget(&self.entry()),
        }
    }

    fn unit(&self) -> PathBuf {
        self.settings.join("systemd/user/byestand.service")
    }

    /// What makes the difference: the link that `systemctl --user enable` would make, or the file
    /// in the start-up folder.
    fn entry(&self) -> PathBuf {
        let place = match self.kind {
            Kind::Systemd => "systemd/user/default.target.wants/byestand.service",
            Kind::StartUpFolder => "Microsoft/Windows/Start Menu/Programs/Startup/Byestand.cmd",
        };
        self.settings.join(place)
    }

    fn unit_text(&self) -> String {
        // In a unit a percent sign stands for something else unless it is doubled.
        let quoted = |path: &Path| format!("\"{}\"", path.display().to_string().replace('%', "%%"));
        format!(
            "[Unit]\nDescription=Byestand, table scoring for duplicate bridge\n\n[Service]\n\
             ExecStart={} serve --data {}\nRestart=on-failure\n\n[Install]\n\
             WantedBy=default.target\n",
            quoted(&self.program),
            quoted(&self.data)
        )
    }

    /// Windows reads scripts in an old character set, in which a user called Jürgen has no folder: what
    /// lies below the user's folder is named by that, and the rest says which set it is in.
    fn script(&self) -> String {
        let quoted = |path: &Path| {
            let below = path.strip_prefix(&self.home).ok();
            let path = below.unwrap_or(path).display().to_string();
            let path = path.replace('%', "%%");
            match below {
                Some(_) => format!("\"%USERPROFILE%\\{path}\""),
                None => format!("\"{path}\""),
            }
        };
        let line = format!(
            "start \"Byestand\" /min {} serve --data {}\r\n",
            quoted(&self.program),
            quoted(&self.data)
        );
        let set = if line.is_ascii() {
            ""
        } else {
            "chcp 65001 >nul\r\n"
        };
        format!("@echo off\r\n{set}{line}")
    }
}

fn write(file: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = file.parent() {
        std::fs::create_dir_all(folder)?;
    }
    std::fs::write(file, text)
}

fn forget(file: &Path) -> io::Result<()> {
    match std::fs::remove_file(file) {
        Err(fault) if fault.kind() != io::ErrorKind::NotFound => Err(fault),
        _ => Ok(()),
    }
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

#[cfg(not(unix))]
fn link(to: &Path, at: &Path) -> io::Result<()> {
    std::fs::copy(to, at).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn in_folder(kind: Kind, settings: &Path) -> Autostart {
        Autostart {
            kind,
            home: PathBuf::from("/home/jürgen"),
            settings: settings.to_owned(),
            program: PathBuf::from("/opt/100% bridge/byestand"),
            data: PathBuf::from("/home/jürgen/bridge data"),
        }
    }

    #[test]
    fn what_is_switched_on_is_on_and_what_is_switched_off_leaves_nothing() {
        for kind in [Kind::Systemd, Kind::StartUpFolder] {
            let folder = tempfile::tempdir().expect("a folder");
            let start = in_folder(kind, folder.path());
            assert!(!start.is_on());
            start.switch(false).expect("nothing to do");
            start.switch(true).expect("on");
            start.switch(true).expect("on again");
            assert!(start.is_on(), "{kind:?}");
            let said = std::fs::read_to_string(start.entry()).expect("an entry");
            assert!(
                said.contains("\"/opt/100%% bridge/byestand\" serve --data"),
                "{said}"
            );
            start.switch(false).expect("off");
            assert!(!start.is_on() && !start.unit().exists());
        }
    }

    #[test]
    fn whatever_the_user_is_called_the_script_finds_the_program() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut start = in_folder(Kind::StartUpFolder, folder.path());
        let script = start.script();
        assert!(script.is_ascii(), "{script}");
        assert!(
            script.ends_with(" --data \"%USERPROFILE%\\bridge data\"\r\n"),
            "{script}"
        );
        start.program = PathBuf::from("/opt/brücke/byestand");
        let script = start.script();
        assert!(
            script.starts_with("@echo off\r\nchcp 65001 >nul\r\nstart"),
            "{script}"
        );
    }
}
