//! Where a cache keeps its entries: a folder, which machines can share, or a web server that knows GET and PUT.
//!
//! A store may lose entries, be out of reach, or give something else than it was given: what it gives is looked at by whoever asks.

use std::io::{Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::path::PathBuf;
use std::time::Duration;

use crate::whole_file;

/// Bytes of an entry, at most.
pub(super) const LONGEST: usize = 1 << 20;
/// The time that a server may take for each step.
const PATIENCE: Duration = Duration::from_secs(5);

/// A place for entries.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Store {
    /// A folder. Files appear in it when something is proved.
    Folder(PathBuf),
    /// A folder of a server.
    Http {
        /// Its name or address, with the port.
        host: String,
        /// The path, without a slash at its end.
        path: String,
    },
}

impl Store {
    /// The store of a name: `http://HOST[:PORT][/PATH]`, or a folder.
    ///
    /// # Errors
    /// If it is neither; the message says why.
    pub fn from_name(name: &str) -> Result<Store, String> {
        let Some(rest) = name.strip_prefix("http://") else {
            return match name.split_once("://") {
                Some((scheme, _)) => {
                    Err(format!("a cache is a folder or `http://HOST/PATH`, not `{scheme}`"))
                }
                None => Ok(Store::Folder(PathBuf::from(name))),
            };
        };
        let (host, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_graphic());
        if host.is_empty() || !is_plain(rest) || host.contains('@') {
            return Err(format!("`{name}` is not the address of a cache: `http://HOST:PORT/PATH`"));
        }
        let host = if host.contains(':') { host.to_owned() } else { format!("{host}:80") };
        Ok(Store::Http { host, path: path.trim_end_matches('/').to_owned() })
    }

    /// The name of an entry in messages.
    pub(super) fn name(&self, key: &str) -> String {
        match self {
            Store::Folder(folder) => file(folder, key).display().to_string(),
            Store::Http { host, path } => format!("http://{host}{path}/{key}"),
        }
    }

    /// An entry; none if there is none to be had, and nothing in it if it is too long.
    pub(super) fn get(&self, key: &str) -> Option<Vec<u8>> {
        match self {
            Store::Folder(folder) => {
                let about = std::fs::metadata(file(folder, key)).ok()?;
                if !about.is_file() || about.len() > LONGEST as u64 {
                    return Some(Vec::new());
                }
                Some(std::fs::read(file(folder, key)).unwrap_or_default())
            }
            Store::Http { host, path } => {
                let (status, body) = exchange(host, "GET", &format!("{path}/{key}"), &[])?;
                (status == 200).then_some(body)
            }
        }
    }

    /// Keeps an entry, if that is possible.
    pub(super) fn put(&self, key: &str, entry: &[u8]) -> bool {
        match self {
            Store::Folder(folder) => whole_file::write(&file(folder, key), entry).is_ok(),
            Store::Http { host, path } => {
                let answer = exchange(host, "PUT", &format!("{path}/{key}"), entry);
                answer.is_some_and(|(status, _)| (200..300).contains(&status))
            }
        }
    }
}

fn file(folder: &std::path::Path, key: &str) -> PathBuf {
    let (start, rest) = key.split_at(2);
    folder.join(start).join(rest)
}

/// A request and its answer: the status, and as much of the body as an entry can have.
fn exchange(host: &str, method: &str, path: &str, body: &[u8]) -> Option<(u16, Vec<u8>)> {
    let address = host.to_socket_addrs().ok()?.next()?;
    let mut stream = TcpStream::connect_timeout(&address, PATIENCE).ok()?;
    stream.set_read_timeout(Some(PATIENCE)).ok()?;
    stream.set_write_timeout(Some(PATIENCE)).ok()?;
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).ok()?;
    stream.write_all(body).ok()?;
    let mut answer = Vec::new();
    // A head is short; what is longer than an entry is cut, and then it is none.
    stream.take(LONGEST as u64 + (64 << 10)).read_to_end(&mut answer).ok()?;
    parse_answer(&answer)
}

/// The status and the body of an answer; none if it is not whole.
fn parse_answer(answer: &[u8]) -> Option<(u16, Vec<u8>)> {
    let head_end = answer.windows(4).position(|four| four == b"\r\n\r\n")?;
    let head = std::str::from_utf8(&answer[..head_end]).ok()?;
    let mut body = &answer[head_end + 4..];
    let mut lines = head.lines();
    let status = lines.next()?.strip_prefix("HTTP/1.")?.split(' ').nth(1)?.parse().ok()?;
    for line in lines {
        let (name, value) = line.split_once(':')?;
        let value = value.trim();
        if name.eq_ignore_ascii_case("transfer-encoding") && !value.eq_ignore_ascii_case("identity")
        {
            // Pieces are not put together here; a cache has no need of them.
            return None;
        }
        if name.eq_ignore_ascii_case("content-length") {
            body = body.get(..value.parse().ok()?)?;
        }
    }
    Some((status, body.to_vec()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_stores() {
        let http =
            |host: &str, path: &str| Store::Http { host: host.to_owned(), path: path.to_owned() };
        assert_eq!(Store::from_name("http://a/b/"), Ok(http("a:80", "/b")));
        assert_eq!(Store::from_name("http://a:8080"), Ok(http("a:8080", "")));
        assert_eq!(Store::from_name("kept/here"), Ok(Store::Folder("kept/here".into())));
        for wrong in ["https://a", "http://", "http://a b", "http:///x", "http://u@h/"] {
            assert!(Store::from_name(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn answers_are_whole_or_none() {
        let answer = b"HTTP/1.1 200 OK\r\nContent-Length: 3\r\nX: y\r\n\r\nabcd";
        assert_eq!(parse_answer(answer), Some((200, b"abc".to_vec())));
        assert_eq!(parse_answer(&answer[..answer.len() - 2]), None);
        assert_eq!(parse_answer(b"HTTP/1.0 404 Not Found\r\n\r\n"), Some((404, Vec::new())));
        assert_eq!(
            parse_answer(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n"),
            None
        );
        assert_eq!(parse_answer(b"SSH-2.0\r\n\r\n"), None);
    }
}
