//! A stream with a timeout for writes.

use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep};

/// A stream whose writes fail if they make no progress until the timeout.
pub(crate) struct WriteTimeoutStream<S> {
    stream: S,
    timeout: Duration,
    /// The timer of the pending write; created when a write is first pending.
    timer: Option<Pin<Box<Sleep>>>,
    is_pending: bool,
}

impl<S> WriteTimeoutStream<S> {
    pub(crate) fn new(stream: S, timeout: Duration) -> WriteTimeoutStream<S> {
        WriteTimeoutStream { stream, timeout, timer: None, is_pending: false }
    }

    /// Returns the result of a write, or an error when the timeout has elapsed.
    fn poll_with_timeout<T>(&mut self, context: &mut Context<'_>, result: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        if result.is_ready() {
            self.is_pending = false;
            return result;
        }
        let timeout = self.timeout;
        let timer = self.timer.get_or_insert_with(|| Box::pin(sleep(timeout)));
        if !self.is_pending {
            self.is_pending = true;
            timer.as_mut().reset(Instant::now() + timeout);
        }
        ready!(timer.as_mut().poll(context));
        Poll::Ready(Err(ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeoutStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeoutStream<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.poll_with_timeout(context, result)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let result = Pin::new(&mut self.stream).poll_write_vectored(context, bytes);
        self.poll_with_timeout(context, result)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_flush(context);
        self.poll_with_timeout(context, result)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.stream).poll_shutdown(context);
        self.poll_with_timeout(context, result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    #[tokio::test]
    async fn client_that_reads_nothing_is_disconnected_and_slow_client_is_not() {
        let timeout = Duration::from_millis(400);
        let (near, far) = tokio::io::duplex(16);
        let mut near = WriteTimeoutStream::new(near, timeout);
        let start = Instant::now();
        let error = near.write_all(&[0; 64]).await.unwrap_err();
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        assert!(start.elapsed() >= timeout);
        drop(far);

        let (near, mut far) = tokio::io::duplex(16);
        let mut near = WriteTimeoutStream::new(near, timeout);
        let slow = tokio::spawn(async move {
            let mut buffer = [0; 16];
            while far.read(&mut buffer).await.unwrap() > 0 {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
        });
        near.write_all(&[0; 100]).await.unwrap();
        drop(near);
        slow.await.unwrap();
    }
}
