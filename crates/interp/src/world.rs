//! The world outside of a program: its descriptors.

use std::cell::RefCell;
use std::rc::Rc;

/// The world that reads and writes of an interpreted program reach.
pub trait World {
    /// Bytes go out to a descriptor; whether it took them.
    fn write(&mut self, descriptor: i64, bytes: &[u8]) -> bool;

    /// Bytes come in from a descriptor: how many, zero at the end; `None` if it cannot be read.
    fn read(&mut self, descriptor: i64, buffer: &mut [u8]) -> Option<usize>;
}

/// Output into buffers, input from a text: for tests.
#[derive(Clone, Debug, Default)]
pub struct Buffers {
    inner: Rc<RefCell<Inner>>,
}

#[derive(Debug, Default)]
struct Inner {
    out: Vec<u8>,
    err: Vec<u8>,
    input: Vec<u8>,
    read: usize,
}

impl Buffers {
    /// Buffers with an input. Clones share them, so keep one to look at the output.
    pub fn new(input: &[u8]) -> Buffers {
        let buffers = Buffers::default();
        buffers.inner.borrow_mut().input = input.to_vec();
        buffers
    }

    /// Returns the text that was written to standard output.
    pub fn output(&self) -> Vec<u8> {
        self.inner.borrow().out.clone()
    }

    /// Returns the text that was written to standard error.
    pub fn errors(&self) -> Vec<u8> {
        self.inner.borrow().err.clone()
    }
}

impl World for Buffers {
    fn write(&mut self, descriptor: i64, bytes: &[u8]) -> bool {
        let mut inner = self.inner.borrow_mut();
        match descriptor {
            1 => inner.out.extend_from_slice(bytes),
            2 => inner.err.extend_from_slice(bytes),
            _ => return false,
        }
        true
    }

    fn read(&mut self, descriptor: i64, buffer: &mut [u8]) -> Option<usize> {
        if descriptor != 0 {
            return None;
        }
        let mut inner = self.inner.borrow_mut();
        let start = inner.read;
        let n = buffer.len().min(inner.input.len() - start);
        buffer[..n].copy_from_slice(&inner.input[start..start + n]);
        inner.read += n;
        Some(n)
    }
}
