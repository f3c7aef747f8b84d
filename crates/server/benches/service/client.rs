//! A minimal HTTP client. It has to be cheap, because it shares the processors with the service that it measures.

use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::TcpStream;

/// A keep-alive connection with the credentials of one token.
pub(crate) struct Client {
    stream: BufReader<TcpStream>,
    /// The first line and the headers of the current request.
    head: String,
    /// The headers of every request.
    common_headers: String,
    line: String,
    /// Body of the last response.
    pub(crate) body: Vec<u8>,
}

impl Client {
    pub(crate) async fn connect(address: &str, token: &str) -> Client {
        let stream = TcpStream::connect(address).await.unwrap();
        stream.set_nodelay(true).unwrap();
        let common_headers = format!("host: {address}\r\nauthorization: Bearer {token}\r\n");
        let stream = BufReader::with_capacity(1 << 16, stream);
        Client { stream, head: String::new(), common_headers, line: String::new(), body: Vec::new() }
    }

    /// Sends a request and reads its response. Panics unless the status is 200.
    pub(crate) async fn call(&mut self, method: &str, path: &str, body: &str) {
        self.head.clear();
        self.head.push_str(&format!("{method} {path} HTTP/1.1\r\n{}", self.common_headers));
        if method == "GET" {
            self.head.push_str("\r\n");
        } else {
            self.head.push_str(&format!("content-length: {}\r\n\r\n{body}", body.len()));
        }
        self.stream.get_mut().write_all(self.head.as_bytes()).await.unwrap();
        let status = self.read_line().await.split(' ').nth(1).map(str::to_owned);
        let mut length = 0;
        loop {
            let line = self.read_line().await;
            if line.is_empty() {
                break;
            }
            if let Some((name, value)) = line.split_once(':')
                && name.eq_ignore_ascii_case("content-length")
            {
                length = value.trim().parse().unwrap();
            }
        }
        self.body.resize(length, 0);
        self.stream.read_exact(&mut self.body).await.unwrap();
        assert_eq!(status.as_deref(), Some("200"), "{method} {path}: {}", String::from_utf8_lossy(&self.body));
    }

    async fn read_line(&mut self) -> &str {
        self.line.clear();
        assert_ne!(self.stream.read_line(&mut self.line).await.unwrap(), 0, "the service closed the connection");
        self.line.trim_end()
    }
}
