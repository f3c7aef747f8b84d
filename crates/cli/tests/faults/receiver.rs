//! A log push destination that records lines in the order of their arrival.

use flate2::read::MultiGzDecoder;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

pub(crate) struct Receiver {
    pub(crate) address: String,
    /// The IDs of all lines.
    received_ids: Arc<Mutex<Vec<String>>>,
}

impl Receiver {
    pub(crate) fn start() -> Receiver {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap().to_string();
        let received_ids = Arc::new(Mutex::new(Vec::new()));
        let all = Arc::clone(&received_ids);
        std::thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let all = Arc::clone(&all);
                std::thread::spawn(move || while receive_batch(&stream, &all).is_some() {});
            }
        });
        Receiver { address, received_ids }
    }

    /// The IDs of all lines, in the order of their arrival.
    pub(crate) fn received_ids(&self) -> Vec<String> {
        self.received_ids.lock().unwrap().clone()
    }

    /// The URL for `destination_conf`.
    pub(crate) fn destination(&self) -> String {
        format!("http://{}/lines", self.address)
    }
}

/// Receives a batch completely or not at all, and responds. `None` at the end of the connection.
fn receive_batch(stream: &TcpStream, all: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream);
    let mut length = 0;
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        let line = line.trim_end().to_ascii_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let mut text = String::new();
    MultiGzDecoder::new(&*body).read_to_string(&mut text).unwrap();
    let ray = |line: &str| serde_json::from_str::<Value>(line).unwrap()["RayID"].as_str().unwrap().to_owned();
    all.lock().unwrap().extend(text.lines().map(ray));
    let mut stream = stream;
    stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n").ok()
}
